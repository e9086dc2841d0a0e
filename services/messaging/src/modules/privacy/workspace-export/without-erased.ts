import { batchesOf } from '@parley/service-kit/data/batches'
import { isId } from '@parley/service-kit/data/plain'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { z } from 'zod'
import type { ContactsRepository } from '../../contacts/contacts.service.ts'

const batchSize = 500
const aboutSchema = z.looseObject({ contactId: z.string().optional(), fields: z.array(z.unknown()).optional() })

/**
 * Takes erased contacts out of lines that another service has answered with: it learns of an erasure later than messaging, where
 * a contact is gone once its erasure is told to others.
 * @param lines JSON, each with its line end.
 */
export const withoutErased = (contacts: Pick<ContactsRepository, 'readMany'>) =>
  async function* (scope: WorkspaceScope, lines: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const batch of batchesOf(lines, batchSize)) {
      const named = batch.map((line) =>
        line.includes('"contactId"') ? aboutSchema.parse(JSON.parse(line)) : undefined,
      )
      const ids = new Set(named.flatMap((record) => record?.contactId ?? []))
      const known = await contacts.readMany(scope, [...ids].filter(isId))
      for (const { id } of known) ids.delete(id)
      for (const [index, line] of batch.entries()) {
        const record = named[index]
        yield record?.contactId !== undefined && ids.has(record.contactId)
          ? `${JSON.stringify(anonymous(record))}\n`
          : line
      }
    }
  }

/** Returns a run or a call as automation keeps it after an erasure, and without the ids that led to the person. */
function anonymous({ contactId: _contact, conversationId: _conversation, ...record }: z.infer<typeof aboutSchema>) {
  if (!record.fields) return record
  const { runId: _run, ...call } = record
  return { ...call, fields: [] }
}
