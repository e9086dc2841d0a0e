import type { CampaignOfContact } from '@parley/contracts/campaigns/campaign-recipients'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import { newestOf, type TimeSlice } from '../../../platform/time-slice.ts'
import type { ConsentService } from '../../contacts/consent/consent.service.ts'
import type { ContactRecord } from '../../contacts/contacts.service.ts'
import type { MessageRecord } from '../../inbox/messages/messages.service.ts'
import { summaryLine } from '../../inbox/messages/summary-line.ts'
import { toMessage } from '../../inbox/messages/to-message.ts'
import type { Found, Source } from './timeline.service.ts'

type Behind<T> = (scope: WorkspaceScope, contactIds: readonly string[], stretch: TimeSlice) => PromiseLike<T[]>

export interface TimelineServices {
  readonly imports: {
    /** Names of the files of imports. */
    readonly fileNames: (scope: WorkspaceScope, importIds: readonly string[]) => Promise<Map<string, string>>
  }
  readonly consent: Pick<ConsentService, 'behind'>
  readonly recipientLists: { readonly behind: Behind<CampaignOfContact> }
  readonly contactNotes: Behind<MessageRecord>
}

/** Sources of a timeline. */
export const timelineSources = ({ imports, consent, recipientLists, contactNotes }: TimelineServices): Source[] => [
  { name: 'added', permission: 'contacts:read', read: added(imports.fileNames) },
  { name: 'merged', permission: 'contacts:read', read: async (_, people, stretch) => merged(people, stretch) },
  {
    name: 'consent',
    permission: 'contacts:read',
    read: async (...of) =>
      (await consent.behind(...of)).map(
        ({ id, at, entry: { id: _id, at: _at, recordedAt: _recordedAt, ...entry } }) => {
          return { id, at, content: { kind: 'consent', ...entry } }
        },
      ),
  },
  {
    name: 'campaign',
    permission: 'campaigns:read',
    read: async (scope, people, stretch) =>
      (await recipientLists.behind(scope, idsOf(people), stretch)).map(campaignItem),
  },
  {
    name: 'thread',
    permission: 'conversations:read',
    read: async (scope, people, stretch) => (await contactNotes(scope, idsOf(people), stretch)).map(noteItem),
  },
]

/** Times of consent are whole seconds: what a contact was added with does not stand before that. */
const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / 1000) * 1000)

const idsOf = (people: readonly ContactRecord[]): string[] => people.map(({ id }) => id)

const added =
  (fileNames: TimelineServices['imports']['fileNames']): Source['read'] =>
  async (scope, people, stretch) => {
    const found = newestOf(
      people.map((person) => ({ id: person.id, at: wholeSecond(person.createdAt), person })),
      stretch,
    )
    const importIds = found.flatMap(({ person: { importId } }) => importId ?? [])
    const names = importIds.length > 0 ? await fileNames(scope, importIds) : new Map<string, string>()
    return found.map(({ id, at, person: { source, addedBy, importId = '', merged: into, name } }): Found => {
      const fileName = names.get(importId)
      const content = {
        kind: 'added' as const,
        source,
        ...(addedBy !== undefined && { memberId: addedBy }),
        ...(fileName !== undefined && { import: { id: importId, fileName } }),
        ...(into && { name }),
      }
      return { id, at, content }
    })
  }

function merged(people: readonly ContactRecord[], stretch: TimeSlice): Found[] {
  const items = people.flatMap(({ id, name, merged: into }): Found[] => {
    if (!into) return []
    const { at, memberId } = into
    return [{ id, at, content: { kind: 'merged', name, ...(memberId !== undefined && { memberId }) } }]
  })
  return newestOf(items, stretch)
}

function campaignItem({ id, startedAt, code: _code, times: _times, ...campaign }: CampaignOfContact): Found {
  return { id, at: new Date(startedAt), content: { kind: 'campaign', ...campaign } }
}

function noteItem(record: MessageRecord): Found {
  const { id, sentAt: at, conversationId, deletedAt } = record
  const { cause, content } = toMessage(record)
  const common = { conversationId, messageId: id, cause, text: summaryLine(record.content, deletedAt) }
  if (content.type !== 'system') return { id, at, content: { kind: 'note', ...common } }
  const { activity } = content
  return { id, at, content: { kind: 'activity', ...common, ...(activity && { activity }) } }
}
