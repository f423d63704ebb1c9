// The process of resident-cli.ts. Runs one command line after another, each with fresh modules.
'use strict';
const diagnostics = require('node:diagnostics_channel');
const { EventEmitter } = require('node:events');
const Module = require('node:module');
const { Readable, Writable } = require('node:stream');
const { compileFunction } = require('node:vm');

const PROGRAM = require.resolve('../../dist/cli/program.cjs');
const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];

// Each file is compiled once, because compiling takes most of a start. Its code runs again for each command.
const compiled = new Map();
Module.prototype._compile = function (content, filename) {
  if (!compiled.has(filename)) compiled.set(filename, compileFunction(content, PARAMETERS, { filename }));
  const require = Module.createRequire(filename);
  compiled.get(filename).call(this.exports, this.exports, require, this, filename, this.path);
};

// Doctor subscribes for the rest of its process.
const subscriptions = [];
const { subscribe, unsubscribe } = diagnostics;
diagnostics.subscribe = (name, listener) => {
  subscribe(name, listener);
  subscriptions.push([name, listener]);
};

// A package of conf adds listeners for exit and signals each time that it is loaded.
const ownEvents = new Set([...process.eventNames(), 'message', 'disconnect']);

process.on('message', ({ args, env, cwd, input, terminals, columns }) => {
  for (const path of Object.keys(require.cache)) delete require.cache[path];
  for (const subscription of subscriptions.splice(0)) unsubscribe(...subscription);
  for (const event of process.eventNames()) if (!ownEvents.has(event)) process.removeAllListeners(event);
  // Not by assignment: the C library reads some variables.
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  const output = { stdout: '', stderr: '' };
  const stream = (name) => {
    const decoder = new TextDecoder();
    const write = (chunk, _, done) => {
      output[name] += decoder.decode(chunk, { stream: true });
      done();
    };
    const terminal = terminals.includes(name) ? { isTTY: true, columns } : {};
    return Object.assign(new Writable({ write }), terminal);
  };
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
  const { execPath, pid, platform, version, versions } = process;
  const host = Object.assign(new EventEmitter(), {
    argv: process.argv,
    env: process.env,
    execPath,
    pid,
    platform,
    version,
    versions,
    cwd: () => process.cwd(),
    geteuid: process.geteuid,
    stdin: Object.assign(stdin, terminals.includes('stdin') ? { isTTY: true } : {}),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
  });
  void require(PROGRAM)
    .runProcess(args, host)
    // The hint of a lost write comes one turn later.
    .then(() => new Promise(setImmediate))
    .then(() => process.send({ exitCode: host.exitCode, ...output }));
});
process.once('disconnect', () => process.exit());
