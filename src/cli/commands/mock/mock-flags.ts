import { DEFAULT_KEY, FAULT_NAMES, MOCK_PLANS, parseFault } from '../../../mock/index.js';
import {
  aDuration,
  anyText,
  between,
  offering,
  oneOf,
  option,
  type Reader,
  repeatable,
  toggle,
  type ValuesOf,
} from '../../command-line/flag.js';
import { quoted } from '../../command-line/flag-values.js';
import { UsageError } from '../../errors/usage-error.js';

const aSeed = between(0, 2 ** 32 - 1);
const aPort = (example: number): Reader<number> => between(0, 65_535, example);

const aFault: Reader<string> = (spec, flag) => {
  try {
    parseFault(spec);
    return spec;
  } catch (error) {
    throw new UsageError(
      `${flag}: ${error instanceof Error ? error.message : String(error)}`,
      'Run "petstore mock faults" for the faults, their parameters and examples.',
      error,
    );
  }
};

const aControlHost: Reader<string> = (text, flag) => {
  if (/^(?:[\w\-.]+|\[[\da-f:.]+\])$/i.test(text)) return text;
  throw new UsageError(
    `${flag}: ${quoted(text)} is not a host name or an address`,
    'Pass it without scheme and port, such as mock or [fd00::1].',
  );
};

export const MOCK_FLAGS = {
  host: option('--host <address>', 'Address to listen on', anyText, '127.0.0.1'),
  port: option('--port <n>', 'Port to listen on; 0 means any free port', aPort(4_010), '4010'),
  keys: repeatable('--key <key>', `Valid API key with its own pets; repeatable (default ${DEFAULT_KEY})`),
  plan: option('--plan <plan>', `Plan of every key: ${MOCK_PLANS.join(', ')}`, oneOf(MOCK_PLANS), 'free'),
  pets: option('--pets <n>', 'Number of generated pets (default 25)', between(0, 1_000_000)),
  seed: option('--seed <n>', 'Seed of the generated pets and random faults (default 1)', aSeed),
  dataFile: option('--data <file>', 'Keep the pets in this file across restarts; one mock per file'),
  faults: repeatable(
    '--fault <spec>',
    'Inject a fault, such as flaky or rate-limit:seconds=5; repeatable',
    offering(FAULT_NAMES, aFault),
  ),
  latencyMs: option('--latency <duration>', 'Delay every response, such as 200ms', aDuration),
  journalMax: option(
    '--journal <n>',
    'Number of requests that the journal keeps (default 1000)',
    between(1, 1_000_000, 10_000),
  ),
  replayFile: option('--replay <file>', 'Respond from a HAR recording; keys and limits are not checked'),
  record: option(
    '--record <file>',
    'Forward to --upstream, and record in this new HAR file without keys and cookies',
  ),
  upstream: option('--upstream <url>', 'Base URL of the service to record'),
  redact: repeatable(
    '--redact <field>',
    'With --record, remove the values of this JSON property, parameter or header; repeatable',
  ),
  ui: toggle('--no-ui', 'Do not serve the page at /__mock/ that shows and controls the mock'),
  controlHost: option(
    '--control-host <host>',
    'Open /__mock/ to other machines that use this host name, for containers',
    aControlHost,
  ),
  readyFile: option(
    '--ready-file <file>',
    'Write addresses and keys to this JSON file when ready; removed on exit',
  ),
  dnsPort: option(
    '--dns-port <n>',
    'Also serve DNS over UDP and TCP on 127.0.0.x; 0 means any free port',
    aPort(5_353),
  ),
  dnsZoneFiles: repeatable('--dns-zone <file>', 'Add zones from a zone file; repeatable'),
};

/** Options of `petstore mock`. */
export type MockOptions = ValuesOf<typeof MOCK_FLAGS>;
