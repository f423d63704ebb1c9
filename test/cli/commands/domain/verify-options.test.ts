import { describe, expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';

describe('flags', () => {
  test.each([
    ['domain verify a.example --apex --subdomain', "--apex and --subdomain can't be combined"],
    ['domain verify a.example --deployed --not-deployed', "--deployed and --not-deployed can't be combined"],
    ['domain verify a.example --until active --no-certificate', '--until active and --no-certificate'],
    ['domain verify a.example --until live', '--until: "live" is not one of verified, active'],
    ['domain verify a.example --plan gold', '--plan: "gold" is not one of free, pro'],
    ['domain verify a.example --https-port 0', '--https-port: "0" is not a whole number from 1 to 65535'],
    ['domain verify a.example --target 192.0.2.1', 'hint: Use the target that the dashboard shows'],
    ['domain verify a.example --target cname_x.test', 'hint: Use the target that the dashboard shows'],
    ['domain verify a.example --connect a/b', '--connect: "a/b" is not an address or host'],
    ['domain verify a.example --issuer nobody', '--issuer: "nobody" is not a CAA name of an authority'],
    ['domain verify a.example --verified-at 12:00', '--verified-at: "12:00" is not an ISO 8601 time'],
    ['domain verify a.example --target t.example --verified-at 2099-01-01T00:00Z', 'is in the future'],
    ['domain verify a.example', 'No target configured'],
    ['domain verify --target t.example.com', 'No domain given'],
    ['domain verify a.example --target t_t.example', '--target: "t_t.example" contains an underscore'],
    ['domain verify a.example --target t.example --ca nowhere.pem', '--ca: "nowhere.pem" can\'t be read'],
    ['domain verify a.example --target t.example -o ids', 'The data has no id to print with -o ids'],
    ['domain verify a.example --target t.example --query [', 'Invalid --query at column 2'],
    ['domain verify a.example --target t.example -o yaml --fields sate', 'Unknown field "sate" in --fields'],
    ['domain verify a.example --target t.example --resolver a:b', 'Invalid resolver: "a:b"'],
    ['domain verify a.example --target t.example --doh ftp://a', 'Invalid DNS over HTTPS URL: "ftp://a"'],
    ['domain verify a.example --dry-run', '--dry-run shows API requests'],
    ['--mock domain verify a.example --resolver ::1', "--resolver can't be combined with --mock"],
    ['--mock domain verify', 'No domain given, and petstore.config.json lists none in .test for --mock'],
    [
      '--mock domain verify shop.example.test --wait -o ndjson --fields state',
      "--fields can't be combined with --wait -o ndjson",
    ],
    [
      '--mock domain verify shop.example.test --wait -o ndjson --query state',
      "--query can't be combined with --wait -o ndjson",
    ],
    ['--mock domain verify shop.example.test --https-port 1', "--https-port can't be combined with --mock"],
  ])('rejects %s without a query', async (line, message) => {
    const { exitCode, stdout, stderr } = await runFake(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
