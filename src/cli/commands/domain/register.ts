import type { Command } from 'commander';
import type { Bind } from '../../session/action.js';
import { addExamples } from '../../help/examples.js';
import { registerCert } from './cert.js';
import { registerRecords } from './records.js';
import { registerRedirects } from './redirects.js';
import { registerVerify } from './verify/verify.js';

/** Registers the commands of `petstore domain`. */
export function registerDomain(program: Command, bind: Bind): void {
  const domain = program
    .command('domain')
    .description('Show the records that custom domains need, and check them.')
    .helpCommand(false);
  addExamples(domain, [
    'petstore --mock domain verify shop.example.test',
    'petstore domain records shop.example.com --target cname.example.net',
    'petstore domain verify shop.example.com --target cname.example.net --wait',
  ]);
  registerRecords(domain, bind);
  registerVerify(domain, bind);
  registerCert(domain, bind);
  registerRedirects(domain, bind);
}
