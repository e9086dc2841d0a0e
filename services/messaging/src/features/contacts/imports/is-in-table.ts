import type { Trace } from '../../erasure/person.ts'
import type { OpenFile } from './file-text.ts'
import { openFile, recordsOf } from './open-file.ts'

/** Whether a stored table, whatever its format, has a cell of somebody's. */
export async function isInTable(open: OpenFile, sizeBytes: number, trace: Trace): Promise<boolean> {
  const { format } = await openFile(open, '', sizeBytes)
  for await (const { records } of recordsOf(open, format, sizeBytes))
    if (records.some(({ cells }) => cells.some(trace.inCell))) return true
  return false
}
