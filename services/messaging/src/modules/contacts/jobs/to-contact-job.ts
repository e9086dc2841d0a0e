import type { ContactJob } from '@parley/contracts/contacts/contact-jobs'
import { type JobRecord, toJob } from '@parley/service-kit/data/job-record'
import { z } from 'zod'
import { chatExportKind, chatFileName, chatInputSchema, chatTypes } from './chat-export-input.ts'
import {
  changeInputSchema,
  changeKind,
  eraseKind,
  exportFileName,
  exportInputSchema,
  exportResultSchema,
  mergesKind,
  mergesUndoKind,
  personExportKind,
  undoInputSchema,
  undoKind,
} from './job-inputs.ts'
import { rowsExportKind, rowsFileName, rowsInputSchema } from './rows-export-input.ts'
import { tableTypes } from './table-files.ts'

const problemSchema = z.object({ problem: z.string() })
const undoneSchema = z.object({ undoneBy: z.string() })
const countsSchema = z.object({ changed: z.number().default(0), kept: z.number().default(0) })

/**
 * A job over contacts as its endpoints answer with it.
 * @param contactName with whom the conversation is that it exports.
 */
export function toContactJob(record: JobRecord, contactName?: string): ContactJob {
  const { id, state, total, done, result, startedBy, createdAt, expiresAt } = toJob(record)
  const { changed, kept } = countsSchema.parse(record.checkpoint ?? {})
  return {
    id,
    task: taskOf(record),
    state,
    total,
    done,
    changed,
    kept,
    canUndo: canUndo(record),
    file: fileOf(record, contactName),
    problem: problemSchema.safeParse(result).data?.problem ?? null,
    startedBy,
    createdAt,
    expiresAt,
  }
}

function taskOf({ kind, input }: JobRecord): ContactJob['task'] {
  if (kind === changeKind) return { kind: 'change', action: changeInputSchema.parse(input).action }
  if (kind === undoKind) return { kind: 'undo', action: undoInputSchema.parse(input).action }
  if (kind === mergesKind) return { kind: 'merge' }
  if (kind === mergesUndoKind) return { kind: 'merge_undo' }
  if (kind === personExportKind) return { kind: 'person_export' }
  if (kind === eraseKind) return { kind: 'erase' }
  if (kind === chatExportKind) {
    const { format, conversationId } = chatInputSchema.parse(input)
    return { kind: 'chat_export', format, conversationId }
  }
  if (kind === rowsExportKind) return { kind: 'rows_export', format: rowsInputSchema.parse(input).format }
  return { kind: 'export', format: exportInputSchema.parse(input).format }
}

/** Returns whether a change, or merges, have ended in any state, have changed a contact, and were not undone yet. */
export function canUndo({ kind, state, checkpoint, result }: JobRecord): boolean {
  if ((kind !== changeKind && kind !== mergesKind) || state === 'waiting' || state === 'running') return false
  // Merges that were stopped may have merged the pair in hand.
  const hasChanged = countsSchema.parse(checkpoint ?? {}).changed > 0 || (kind === mergesKind && state !== 'done')
  return hasChanged && !undoneSchema.safeParse(result).success
}

function fileOf(job: JobRecord, contactName?: string): ContactJob['file'] {
  const written = exportResultSchema.safeParse(job.result).data
  return written ? { name: fileNameOf(job, contactName), sizeBytes: written.sizeBytes } : null
}

/** Returns the file name of an export. That of one person does not name them; that of a conversation says with whom it is. */
export function fileNameOf({ kind, createdAt, input }: JobRecord, contactName = ''): string {
  if (kind === personExportKind) return `contact-${createdAt.toISOString().slice(0, 10)}.zip`
  if (kind === chatExportKind) return chatFileName(contactName, chatInputSchema.parse(input).format)
  if (kind === rowsExportKind) return rowsFileName(rowsInputSchema.parse(input))
  return exportFileName(createdAt, exportInputSchema.parse(input))
}

export function fileTypeOf({ kind, input }: JobRecord): string {
  if (kind === personExportKind) return 'application/zip'
  if (kind === chatExportKind) return chatTypes[chatInputSchema.parse(input).format]
  if (kind === rowsExportKind) return tableTypes[rowsInputSchema.parse(input).format]
  return tableTypes[exportInputSchema.parse(input).format]
}
