// node run-script.mjs SCRIPT [ARGUMENT...]
// Runs a script, and reports that it reached its end.
import { pathToFileURL } from 'node:url';

process.argv.splice(1, 1);
await import(pathToFileURL(process.argv[1]).href);
process.send({ isComplete: true });
