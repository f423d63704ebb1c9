import { EXIT, EXIT_CODES } from '../../errors/exit-codes.js';
import { topicRows } from './topic-rows.js';

/** The text of `petstore help exit-codes`, made of the table of codes. */
export function exitCodesTopic(): string {
  // What a signal ends is told by the signal; its name is for tools.
  const rows = EXIT_CODES.map(({ code, name, summary }) => ({
    term: code < EXIT.hungUp ? `${String(code).padEnd(3)}${name}` : String(code),
    text: summary,
  }));
  return `Exit codes

${topicRows(rows, 1)}

A reader that goes away (petstore pets list | head -1) is no failure: exit 0.
petstore mock ends with 0 when ^C or SIGTERM stops it: that is how it ends.
With a failure stdout is empty; what domain commands, doctor and auth status
found, and how the rows of an import stand, is printed whatever the exit code.
The error is on stderr; with a JSON format it is one line, {"error": {"type",
"message", "status", "code", "hint", "retryable", "retryAt", "exitCode"}}, where
what is unknown is null, and "requestId" besides where the service names the
request.
`;
}
