import type { Audience } from '@parley/contracts/campaigns/campaign-fields'
import type { AnsweredCondition } from '@parley/contracts/campaigns/campaign-results'
import type { ConditionGroup } from '@parley/contracts/contacts/conditions'
import type { Contact } from '@parley/contracts/contacts/contacts'
import { type Explanation, explainGroup } from '@parley/flow/conditions'
import { contactValues } from '@parley/flow/contact-values'
import { describeCondition } from '@parley/rules/describe-conditions'
import type { Clock } from '@parley/service-kit/core/clock'
import { AppError } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { ImportPeople } from '../../contacts/imports/import-people.ts'
import type { SegmentsService } from '../../contacts/segments/segments.service.ts'
import { isRetargeted, type MissedAudience } from '../audience/retarget-audience.ts'
import type { CampaignsRepository } from '../campaigns.repository.ts'
import { nameOfMissed } from '../drafts/audience-names.ts'
import type { RecipientListsRepository } from '../recipients/recipient-lists.repository.ts'

type LabelOf = Parameters<typeof describeCondition>[1]
const longest = 300

/** Explains whether an audience, as it is now, has a contact in it: an answer to each of its conditions. */
export function createAudienceAnswers({
  segments,
  importPeople,
  campaigns,
  rows,
  now = () => new Date(),
}: {
  segments: Pick<SegmentsService, 'find' | 'labels'>
  importPeople: Pick<ImportPeople, 'find' | 'batch'>
  campaigns: Pick<CampaignsRepository, 'read'>
  rows: Pick<RecipientListsRepository, 'ofContacts'>
  now?: Clock
}) {
  /** @returns null where what the audience was chosen by is gone. */
  return async function answersOf(
    scope: WorkspaceScope,
    audience: Audience,
    { contact, ids }: { contact: Contact; ids: readonly string[] },
  ): Promise<AnsweredCondition | null> {
    if (audience.kind === 'campaign') return ofCampaign(scope, audience, ids)
    if (audience.kind === 'contacts') {
      const { contactIds } = audience
      const text =
        contactIds.length === 1 ? 'Is the contact that was chosen' : 'Is one of the contacts that were chosen'
      return { text, holds: ids.some((id) => contactIds.includes(id)) }
    }
    if (audience.kind === 'import') return unlessGone(() => ofImport(scope, audience.importId, ids))
    const group =
      audience.kind === 'tags'
        ? groupOfTags(audience)
        : await unlessGone(async () => (await segments.find(scope, audience.segmentId)).filter)
    if (!group) return null
    const labelOf = await segments.labels(scope)
    return answered(group, explainGroup(group, contactValues(contact), now()), labelOf)
  }

  /** @throws `not_found`, `wrong_state` where whom it was about is not known any more. */
  async function ofImport(scope: WorkspaceScope, id: string, ids: readonly string[]): Promise<AnsweredCondition> {
    const text = `Was added or changed by the import of ${(await importPeople.find(scope, id)).fileName}`
    for (let number = 0, people = await importPeople.batch(scope, id, 0); people; ) {
      if (people.some((contactId) => ids.includes(contactId))) return { text: text.slice(0, longest), holds: true }
      number += 1
      people = await importPeople.batch(scope, id, number)
    }
    return { text: text.slice(0, longest), holds: false }
  }

  async function ofCampaign(
    scope: WorkspaceScope,
    audience: MissedAudience,
    ids: readonly string[],
  ): Promise<AnsweredCondition | null> {
    const earlier = await campaigns.read(scope, audience.campaignId)
    if (!earlier || earlier.rowsRemoved) return null
    const name = nameOfMissed(earlier.name, audience)
    const [row] = await rows.ofContacts(scope, [earlier.id], ids)
    return {
      text: `Is among those of ${name}`.slice(0, longest),
      holds: row !== undefined && isRetargeted(row, audience),
    }
  }
}

async function unlessGone<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'wrong_state')) return null
    throw error
  }
}

const groupOfTags = ({ tags, match = 'any' }: Extract<Audience, { kind: 'tags' }>): ConditionGroup => ({
  match,
  conditions: tags.map((value) => ({ field: 'tags', comparison: 'contains', value })),
})

function answered(group: ConditionGroup, { holds, conditions = [] }: Explanation, labelOf: LabelOf): AnsweredCondition {
  return {
    text: '',
    holds,
    match: group.match,
    conditions: group.conditions.map((entry, index) => {
      const answer = conditions[index] ?? { holds: false }
      if ('conditions' in entry) return answered(entry, answer, labelOf)
      return { text: describeCondition(entry, labelOf).slice(0, longest), holds: answer.holds }
    }),
  }
}
