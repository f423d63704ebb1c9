/** Writes the files of npm packages in this folder again: `node write-files.mjs FOLDER`. The packages are in the current folder. */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const load = createRequire(join(process.cwd(), 'package.json'));
const write = (name, content) => writeFileSync(join(process.argv[2], name), content);

const PETS = [
  { name: 'Möhre, "A"', category: '9007199254740993', status: 'sold' },
  { name: 'x\ny', category: '7', status: '' },
  { name: '=1+1', category: '7', status: '' },
];

const { stringify } = load('csv-stringify/sync');
write('csv-stringify.csv', stringify(PETS, { header: true }));

write('papaparse.csv', load('papaparse').unparse(PETS));

const csvtojson = load('csvtojson');
write('csvtojson.json', JSON.stringify(await csvtojson().fromString('name,category,status\nRex,7,\n,,\n')));

const { Workbook } = load('exceljs');
const workbook = new Workbook();
const rows = [['name', 'category', 'status'], ['Rex', 7], [], ['Mia', 1234567890123456800, 'sold']];
workbook.addWorksheet('Pets').addRows(rows);
write('exceljs.csv', await workbook.csv.writeBuffer());

const { utils } = load('xlsx');
const sheet = utils.aoa_to_sheet([
  ['Name', 'Category ID', 'Status ', ''],
  ['Rex', 7, 'sold'],
  [null, null, ''],
  ['Mia', 1234567890123456800],
]);
write('sheetjs.csv', utils.sheet_to_csv(sheet));
write('sheetjs.json', JSON.stringify(utils.sheet_to_json(sheet)));
write('sheetjs.utf16.txt', Buffer.from(utils.sheet_to_txt(sheet), 'latin1'));

const { DuckDBInstance } = load('@duckdb/node-api');
const database = await (await DuckDBInstance.create(':memory:')).connect();
await database.run('CREATE TABLE pets (name TEXT, category_id BIGINT, status TEXT)');
await database.run(
  `INSERT INTO pets VALUES ('Möhre, "A"', 9007199254740993, 'sold'), ('x' || chr(10) || 'y', 7, NULL),
   ('tab' || chr(9) || 'here', 7, ''), ('c\\d', 2, NULL)`,
);
const target = (name) => join(process.argv[2], name);
await database.run(`COPY pets TO '${target('duckdb.csv')}'`);
await database.run(`COPY pets TO '${target('duckdb.tsv')}' (DELIMITER '\\t')`);
await database.run(`COPY pets TO '${target('duckdb.json')}'`);
await database.run(
  `COPY (SELECT name, category_id / 1 AS category FROM pets) TO '${target('duckdb-division.csv')}'`,
);
