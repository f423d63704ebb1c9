import type { CommandGroup } from '../../session/command.js';
import { cert } from './cert.js';
import { records } from './records.js';
import { redirects } from './redirects.js';
import { verify } from './verify.js';

export const domain: CommandGroup = {
  word: 'domain',
  description: 'Show the records that custom domains need, and check them.',
  examples: [
    'petstore --mock domain verify shop.example.test',
    'petstore domain records shop.example.com --target cname.example.net',
    'petstore domain verify shop.example.com --target cname.example.net --wait',
  ],
  commands: [records, verify, cert, redirects],
};
