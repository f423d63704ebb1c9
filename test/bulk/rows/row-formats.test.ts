import { describe, expect, test } from 'vitest';
import type { RowSource } from '../../../src/bulk/rows/row.js';
import { readRows } from './read-rows.js';

type Case = readonly [what: string, text: string, ...outcomes: string[]];

/** Reads each text in pieces of several lengths. An error is compared up to the end of the expected text. */
function rowCases(what: string, source: Partial<RowSource>, start: string, cases: readonly Case[]): void {
  describe.each([Infinity, 1, 2, 3, 5])(`${what} in pieces of %d`, (length) => {
    test.each(cases)('%s', async (_, text, ...expected) => {
      const { outcomes } = await readRows(start + text, source, length);
      const shown = outcomes.map((each, index) =>
        each.includes('! ') ? each.slice(0, expected[index]?.length) : each,
      );
      expect(shown).toEqual(expected);
    });
  });
}

rowCases('CSV', { csvRaw: true }, 'name,categoryId\n', [
  ['line feeds', 'a,1\nb,2\n', '2: a 1', '3: b 2'],
  ['carriage returns', 'a,1\rb,2\r', '2: a 1', '3: b 2'],
  ['CRLF', 'a,1\r\nb,2\r\n', '2: a 1', '3: b 2'],
  ['a last line without an end', 'a,1\nb,2', '2: a 1', '3: b 2'],
  ['blank lines of every kind', '\n\r\n\na,1\n\r\n\rb,2\n\n', '5: a 1', '8: b 2'],
  [
    'empty cells',
    ',1\n"",2\nx,""',
    '2:1! name is missing',
    '3:1! name is missing',
    '4:3! category is missing',
  ],
  ['doubled quotes', '"a ""b""",1\n"""",2', String.raw`2: a \"b\" 1`, String.raw`3: \" 2`],
  ['a delimiter in quotes', '"a,b",1\n', '2: a,b 1'],
  ['line breaks in quotes', '"a\nb\r\nc\rd",1\r\n\r\nf,2\n', String.raw`2: a\nb\r\nc\rd 1`, '7: f 2'],
  ['blanks', ' a , 1 \n', '2:  a  1'],
  ['no row', ''],
  ['too few cells', 'Rex\nZoe,9\n', '2! Row has 1 cell, but the header has 2: "Rex"', '3: Zoe 9'],
  [
    'too many cells',
    'Mia,8,sold\nZoe,9',
    '2! Row has 3 cells, but the header has 2: "Mia,8,sold"',
    '3: Zoe 9',
  ],
  ['a quote inside a cell', 'x,1\na"b,2\nd,3\n', '2: x 1', '3:2! Quote inside an unquoted cell', '4: d 3'],
  ['text after a quoted cell', 'x,1\n"a"b,2\nd,3', '2: x 1', '3:4! Text after a closing quote', '4: d 3'],
  ['a blank after a quoted cell', 'x,1\n"a" ,2\nd,3', '2: x 1', '3:4! Text after a closing quote', '4: d 3'],
  ['a wrong quote in a later line', '"a\r\nb",1"\nd,2\n', '3:5! Quote inside an unquoted cell', '4: d 2'],
  ['an unclosed quote', 'x,1\na,"b\nc\nd\n', '2: x 1', '3:3! Quote is opened here and not closed'],
  ['an unclosed quote at the end', 'x,1\na,"', '2: x 1', '3:3! Quote is opened here and not closed'],
  ['an unclosed doubled quote', 'x,1\na,"b""', '2: x 1', '3:3! Quote is opened here and not closed'],
  ['an unclosed quote in a last line', 'x,1\n"', '2: x 1', '3:1! Quote is opened here and not closed'],
  ['a blank before a quote', 'x,1\na, "2"\n', '2: x 1', '3:4! Blank before a quoted cell; remove it'],
  ['rows of empty cells', 'a,1\n,\n , \n"",""\n   \n,,,\nb,2\n,', '2: a 1', '8: b 2'],
  [
    'empty cells after the last column',
    'a,1,,\nb,2,x\n',
    '2: a 1',
    '3! Row has 3 cells, but the header has 2',
  ],
  [
    'whole numbers with zeros',
    'a,7.0\nb,-20.000\nc,9007199254740991.0\n',
    '2: a 7',
    '3: b -20',
    '4: c 9007199254740991',
  ],
  [
    'numbers that may be rounded',
    'a,9007199254740992.0\nb,1e+05\nc,9.00719925474099E+015\n',
    '2:3! category "9007199254740992.0" may be rounded: above 2^53',
    '3:3! category "1e+05" has an exponent, so digits may be lost',
    '4:3! category "9.00719925474099E+015" has an exponent',
  ],
  ['a fraction', 'a,7.5\n', '2:3! category "7.5" is not a 64-bit integer in plain digits, such as 7'],
  [
    'a number that is too large',
    'a,9223372036854775808\n',
    '2:3! category "9223372036854775808" is too large',
  ],
]);

rowCases('optional cells', {}, 'name,category,status,error\n', [
  ['that are missing at the end', 'Rex,7,sold\nMia,2\n', '2: Rex 7 sold', '3: Mia 2'],
  ['with a cell that is not optional', 'Rex\n', '2! Row has 1 cell, but the header has 4: "Rex"'],
  [
    'in a last line that may be cut off',
    'Rex,7\nMia,2',
    '2: Rex 7',
    '3! The last line has 2 cells, but the header has 4',
  ],
  ['in a complete last line', 'Rex,7\nMia,2,,', '2: Rex 7', '3: Mia 2'],
]);

rowCases('a header', { path: 'pets.csv' }, '', [
  [
    'columns in any order, after blank lines',
    '\nstatus;name;categoryId\n sold ; Rex ; 7 \n',
    '3:  Rex  7 sold',
  ],
  ['columns of a rejected-rows file', ' status,categoryId ,name,error\nsold,7,Rex,no', '2: Rex 7 sold'],
  ['other case, blanks and underscores', 'NAME,Category ID,sta_tus\nRex,7,sold', '2: Rex 7 sold'],
  ['other blanks', '\uFEFF n a m e ,Category\u00A0Id,_status_\nRex,7,sold', '2: Rex 7 sold'],
  ['a column missing', 'name\nRex\n', '1! Column category is missing'],
  [
    'columns without name and text',
    'name,categoryId,,\nRex,7,,\nMia,8\nJo,9, ,\n',
    '2: Rex 7',
    '3: Mia 8',
    '4: Jo 9',
  ],
  [
    'text in columns without a name, once a column',
    'name,categoryId,,\nRex,7,,\nMia,8,x,y\nJo,9,z,\nZoe,1,,y\n',
    '2: Rex 7',
    '3! The header has no name for column 3, which has "x"',
    '4: Jo 9',
    '5! The header has no name for column 4, which has "y"',
  ],
  ['row numbers', ',name,categoryId\n0,Rex,7\n', '2! The header has no name for column 1, which has "0"'],
  ['a separator for Excel', 'sep=;\nname;categoryId\nRex,x;7\n', '3: Rex,x 7'],
  ['a separator with CRLF and quotes', '"sep=|"\r\n\r\nname|categoryId\r\nRex|7\r\n', '4: Rex 7'],
  ['a separator that is a tab', 'SEP=\t\nname\tcategoryId\nRex\t7\n', '3: Rex 7'],
  [
    'a separator that is not supported',
    '\nsep=^\nname^categoryId\n',
    '2! The separator "^" is not supported',
  ],
  ['only a separator', 'sep=;', '1! The first line must name the columns'],
  [
    'the type line of PowerShell',
    '#TYPE System.Object\n"name"\n',
    '1! This is the line that Windows PowerShell',
  ],
  ['a table of R', '"name" "category"\n"1" "Rex" 7\n', '1! This is a table that R separated by blanks'],
  ['a box', '+------+----------+\n| name | category |\n', '1! This is the frame of a table'],
  ['YAML', '- name: Rex\n  category: 7\n', '1! This is YAML'],
  ['HTML', '<!DOCTYPE html>\n<html>\n', '1! This is an HTML page'],
  ['SQL', "INSERT INTO pets VALUES ('Rex', 7);\n", '1! This is SQL'],
  ['a column twice', 'name,categoryId,name', '1! Duplicate column "name"'],
  [
    'a field twice',
    'name,Category ID,category_id',
    '1! Columns "Category ID" and "category_id" are both the category',
  ],
  ['an unknown column', 'name,categoryId,breed\nRex,7,a', '1! Unknown column "breed"'],
  [
    'the ids of an export',
    ' i_d,name,categoryId\n1,Rex,7',
    '1! Column "i_d" would not be sent: the rows would',
  ],
  ['a row as the first line', 'Rex,7\nMia,8\n', '1! The first line must name the columns'],
  ['nothing', '', '1! The table is empty: no header'],
  ['blank lines', '\n\n', '1! The table is empty: no header'],
]);

rowCases('NDJSON', { format: 'ndjson' }, '', [
  ['nothing', ''],
  [
    'an object per line, with every digit',
    '{"name":"Rex","categoryId":9223372036854775807}\r\n\n  \n{"name":"Mia","categoryId":"-1","status":"sold"}',
    '1: Rex 9223372036854775807',
    '4: Mia -1 sold',
  ],
  [
    'a status of null, and the reason of a rejection',
    '{"name":"R","categoryId":7,"status":null,"error":1}',
    '1: R 7',
  ],
  ['nested objects', '{"error":{"name":1},"name":"Rex","categoryId":7}', '1: Rex 7'],
  [
    'a comma at the end',
    '{"name":"Rex",}\n{"name":"Mia","categoryId":8}',
    '1:15! Not valid JSON: found "}"',
    '2: Mia 8',
  ],
  ['half an object', '{"name":', '1:9! Not valid JSON: found the end of the text'],
  [
    'other values',
    '7\n"x"\nnull\n[]',
    ...['7', '"x"', 'null', '[]'].map(
      (row, at) => `${String(at + 1)}:1! ${row} is not an object, such as {"name":"Rex","category":7}`,
    ),
  ],
  ['a duplicate field', '{"name":"Rex","name":"Mia"}', '1:15! Duplicate field "name"'],
  ['an escaped duplicate', String.raw`{"name":"Rex","n\u0061me":"Mia"}`, '1:15! Duplicate field "name"'],
  ['no name', '{"categoryId":1}\n{"name":null,"categoryId":1}', '1! name is missing', '2:2! name is missing'],
  ['a name that is no text', '{"name":7,"categoryId":1}', '1:2! name 7 is not a string, such as "Rex"'],
  ['no category', '{"name":"Rex"}', '1! category is missing'],
  ...[
    '1.5',
    '"007"',
    '1.0000000000000001',
    '-0',
    '"x"',
    '{}',
    '{"$numberLong":7}',
    '{"$numberLong":"7","a":1}',
  ].map((categoryId): Case => [
    `the category ${categoryId}`,
    `{"name":"R","categoryId":${categoryId}}`,
    `1:13! category ${categoryId} is not a 64-bit integer in plain digits, such as 7`,
  ]),
  ...['1e20', '1e2', '"1e2"', '1.5E+3'].map((categoryId): Case => [
    `the category ${categoryId}`,
    `{"name":"R","categoryId":${categoryId}}`,
    `1:13! category ${categoryId} has an exponent, so digits may be lost`,
  ]),
  ...['12345678901234567.0', '"9007199254740992.00"'].map((categoryId): Case => [
    `the category ${categoryId}`,
    `{"name":"R","categoryId":${categoryId}}`,
    `1:13! category ${categoryId} may be rounded`,
  ]),
  ...['9223372036854775808', '"-9223372036854775809"'].map((categoryId): Case => [
    `the category ${categoryId}`,
    `{"name":"R","categoryId":${categoryId}}`,
    `1:13! category ${categoryId} is too ${categoryId.includes('-') ? 'small' : 'large'}: the `,
  ]),
  ...[
    ['1.0', '1'],
    ['"-20.000"', '-20'],
    ['{"$numberLong":"9007199254740993"}', '9007199254740993'],
    ['{"$numberInt":"7"}', '7'],
  ].map(([categoryId, id]): Case => [
    `the category ${String(categoryId)}`,
    `{"name":"R","categoryId": ${String(categoryId)} }`,
    `1: R ${String(id)}`,
  ]),
  [
    'an unknown status',
    '{"name":"R","categoryId":1,"status":"Sold"}',
    '1:28! status "Sold" is not one of available, pending, sold',
  ],
  ['an unknown field', '{"name":"R","categoryId":1,"breed":3}', '1:28! Unknown field "breed"'],
  ['other names', '{"NAME":"R","Category ID":1,"Sta_tus ":"sold"}', '1: R 1 sold'],
  ['names of databases', '{"name":"R","category_id":9007199254740993}', '1: R 9007199254740993'],
  [
    'a name twice',
    '{"name":"R","categoryId":1,"Name":3}',
    '1:28! Fields "name" and "Name" are both the name',
  ],
  [
    'a status without text',
    '{"name":"R","categoryId":1,"status":""}\n{"name":"M","categoryId":1,"status":" "}',
    '1: R 1',
    '2: M 1',
  ],
  [
    'empty rows',
    '{"name":"R","categoryId":1}\n{"name":null,"categoryId":" ","status":""}\n{}',
    '1: R 1',
    '3! name is missing',
    '3! category is missing',
  ],
  ['an array', '[\n{"name":"R","categoryId":1}\n]\n', '1:1! The file begins with a JSON array'],
  [
    'objects over several lines',
    '\n{\n "name":"R",\n "categoryId":1}\n{\n',
    '2:1! The JSON object that begins here continues on the next line',
  ],
  [
    'an object over several lines',
    '{\n "name":"R",\n "categoryId":1\n}\n',
    '1:1! The JSON object that begins here continues on the next line',
  ],
  [
    'an object with a list over several lines',
    '{\n "total":1,\n "pets":[\n  {"name":"R","categoryId":1}\n ]\n}\n',
    '1:1! The rows are inside of the field "pets"',
  ],
  [
    'a list over several lines',
    '{"pets":[\n{"name":"R","categoryId":1}\n]}\n',
    '1:1! The rows are inside of the field "pets"',
  ],
  [
    'a list in an object',
    '{"total":1,"data":{"pets":[{"name":"R","categoryId":1}]}}\n',
    '1:1! The rows are inside of the field "data"',
  ],
  [
    'a list without rows in an object',
    '{"a":[],"pets":[{"id":1}]}\n',
    '1:1! The rows are inside of the field "pets"',
  ],
  ['one row in an object', '{"total":1,"pet":{"name":"R"}}\n', '1:1! The rows are inside of the field "pet"'],
  ['two objects on a line', '{"name":"R","categoryId":1} {}\n', '1:29! A second object begins on this line'],
  [
    'commas between the lines',
    '{"name":"R","categoryId":1},\n{}}',
    '1:28! A comma follows the object',
    '2:3! Not valid JSON',
  ],
  ['a list next to a name', '{"tags":[{}],"name":"R","categoryId":1}', '1:2! Unknown field "tags"'],
  ['a JSON text sequence', '\x1e{"name":"R","categoryId":1}\n', '1! This is a JSON text sequence'],
  [
    'a later row over several lines',
    '{"name":"R","categoryId":1}\n{\n}',
    '1: R 1',
    '2:2! Not valid JSON: found the end of the text',
    '3:1! Not valid JSON',
  ],
  ...['id', 'ID', '_id'].map((field): Case => [
    `the field ${field} of an export`,
    `{"name":"R","categoryId":1,"${field}":3}`,
    `1:28! Field "${field}" would not be sent: the rows would become NEW pets with new ids`,
  ]),
]);

const BOTH = '"category" and "categoryId" are both the category';

rowCases('the name category', {}, '', [
  ['in a table', 'Category,name\n7,Rex', '2: Rex 7'],
  [
    'twice in a table',
    'category,Category,name\n7,8,Rex',
    '1! Columns "category" and "Category" are both the category',
  ],
  ['next to categoryId', 'category,name,categoryId\na,Rex,7', `1! Columns ${BOTH}`],
  ['in an object, with every digit', '{"name":"Rex","category":9007199254740993}', '1: Rex 9007199254740993'],
  ['in an object, with a wrong value', '{"name":"Rex","category":1e2}', '1:15! category 1e2 has an exponent'],
  ['next to categoryId in an object', '{"categoryId":7,"name":"Rex","category":8}', `1:30! Fields ${BOTH}`],
]);
rowCases('a file .json', { path: 'pets.json' }, '', [
  [
    'several objects on lines',
    '\n{"name":"R","categoryId":1}\n\n{"name":"M","categoryId":2}',
    '2: R 1',
    '4: M 2',
  ],
  ['one object', '\n{"name":"R","categoryId":1}\n', '2: R 1', '2! The file is one JSON object'],
  [
    'an object over several lines',
    '{\n"name":"R",\n"categoryId":1}\n',
    '1:1! The JSON object that begins here',
  ],
  [
    'a list in an object',
    '{"pets":[{"name":"R","categoryId":1}]}',
    '1:1! The rows are inside of the field "pets"',
  ],
  ['an empty list in an object', '{"total":0,"pets":[]}', '1:1! The rows are inside of the field "pets"'],
  ['two objects on the only line', '{"name":"R"}{"name":"M"}', '1:13! A second object begins on this line'],
  ['an array', ' [{"name":"R","categoryId":1}]', '1: R 1'],
  ['a text', '"a"', '1:1! Input must begin with ['],
  ['a table', 'name,categoryId\n', '1:1! Input must begin with ['],
  ['nothing', ' \n', '1:1! Input must begin with ['],
]);
rowCases('a JSON array', { format: 'json' }, '', [
  [
    'elements with every digit',
    ' [\n {"name":"a\\"]}","categoryId":1,"error":[{}]},\n\n{"name":"b","categoryId":9007199254740993}\n]\n ',
    String.raw`2: a\"]} 1`,
    '4: b 9007199254740993',
  ],
  ['no element', '[]'],
  ['an object', '{"name":"Rex"}', '1! The file is one JSON object, not a list of rows'],
  ['objects on lines', '\n {"name":"R"}\n{"name":"M"}\n', '2:1! Input must begin with ['],
  ['an invalid object', '{"name":}', '1:9! Not valid JSON'],
  [
    'a list in an object',
    '\n {"pets":[{"name":"R","categoryId":1}]}',
    '2:2! The rows are inside of the field "pets"',
  ],
  ['nothing', '', '1:1! Input must begin with ['],
  ['no comma', '[\n7 {}]', '2:1! 7 is not an object', '2:3! Comma is missing'],
  ['a comma at the end', '[7,\n]', '1:2! 7 is not an object', '2:1! Unexpected "]"'],
  ['a comma at the start', '[,{}]', '1:2! Unexpected ","'],
  ['text after the array', '[7]\nx', '1:2! 7 is not an object', '2:1! Unexpected text after the array'],
  ['a second array', '[]\n[{}]', '2:1! A second array begins here'],
  ['no end', '[7', '1:2! 7 is not an object', '1:3! Array is not closed'],
  [
    'invalid JSON in elements',
    '[{"a":1,\n"b" 2},\n{"name":"c","categoryId":3}, "x", nul]',
    '2:5! Not valid JSON',
    '3: c 3',
    '3:30! "x" is not an object',
    '3:35! Not valid JSON',
  ],
]);
