export { BulkError, diskProblem, KEEP_JOURNAL, REMEDIES } from './job/bulk-error.js';
export type { BulkErrorReason } from './job/bulk-error.js';
export type {
  CheckProgress,
  CheckReport,
  CloseOptions,
  ImportCounts,
  ImportEvent,
  RowInput,
  ImportJob,
  OpenImportOptions,
  ImportReport,
  OnUnknown,
  ReadOptions,
  RunOptions,
  StopReason,
  UnknownReport,
  UnknownRow,
} from './job/import-job.js';
export { rejectedFilesOf } from './job/import-job.js';
export type { Row, RowError, RowFormat, RowPet } from './rows/row.js';
export { formatPets } from './export-pets.js';
export { OutputFileError, writeWholeFile } from './whole-file.js';
export { minDurationOf, requestsOf } from './import-duration.js';
export { doneOf } from './send/import-progress.js';
export { checkRow } from './rows/check-row.js';
export { parseRecord } from './rows/json-record.js';
export { recognizeBytes } from './rows/foreign-file.js';
export { InputNotes } from './rows/input-notes.js';
export { checkRows } from './input/check-input.js';
export { looseKey } from './send/find-listed-pets.js';
export { openImport, previewImport } from './open-import.js';
export type { ImportPreview } from './open-import.js';
