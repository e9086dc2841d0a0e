import { defaultSendingHours } from '@parley/contracts/campaigns/sending-hours'
import { wallTimeOf } from '@parley/contracts/core/zoned-time'
import { warningRules } from '@parley/contracts/templates/template-findings'
import type { ServiceConnection } from '@parley/service-kit/data/mongo'
import { newId } from '@parley/service-kit/data/plain'
import { type WorkspaceScope, workspaceCollection } from '@parley/service-kit/data/scoped-collection'
import { Types } from 'mongoose'
import { expect, TestRunner, vi } from 'vitest'
import { performCampaign } from '../modules/campaigns/campaigns.jobs.ts'
import { newContactFields, searchKeys } from '../modules/contacts/contact-fields.ts'
import { type ContactRecord, contactSchema } from '../modules/contacts/contacts.model.ts'
import type { joinMessaging } from './start-messaging.ts'

type Parley = Awaited<ReturnType<typeof joinMessaging>>

/** Waits until nothing in it fails any more, and ends soon enough to say what has. */
export function eventually<T>(check: () => Promise<T> | T): Promise<T> {
  const { timeout = 120_000 } = TestRunner.getCurrentTest() ?? {}
  return vi.waitFor(check, { timeout: timeout - 5000, interval: 100 })
}

/** Contacts who have agreed to marketing, unless `over` says otherwise. @returns their ids. */
export async function addContacts(
  connection: ServiceConnection,
  scope: WorkspaceScope,
  people: { count: number; firstPhone: number; tags: readonly string[]; over?: Partial<ContactRecord> },
): Promise<string[]> {
  const contacts = workspaceCollection<ContactRecord>({ connection, name: 'contacts', schema: contactSchema })
  const records = Array.from({ length: people.count }, (_, index) => {
    const named = { name: `Asha ${index}`, phone: `+${people.firstPhone + index}`, tags: people.tags }
    return {
      ...newContactFields('manual'),
      _id: newId(),
      ...named,
      ...searchKeys(named),
      attributes: [],
      optIn: { marketing: 'in' as const, source: 'manual', at: new Date() },
      ...people.over,
    }
  })
  await contacts(scope).insertPlain(records)
  return records.map(({ _id }) => _id)
}

/** Contacts under tags; each call takes phone numbers of its own. @param firstPhone apart from those of the tests beside it. */
export function createPeople(parley: () => Pick<Parley, 'database' | 'scope'>, firstPhone: number) {
  let phones = firstPhone
  async function addTo(tag: string, count: number, over: Partial<ContactRecord> = {}): Promise<void> {
    phones += 10_000
    const { database, scope } = parley()
    await addContacts(database.connection, scope, { count, firstPhone: phones, tags: [tag], over })
  }
  /** @returns the tag that they alone carry. */
  async function people(count: number, over: Partial<ContactRecord> = {}): Promise<string> {
    const tag = `t${new Types.ObjectId().toHexString()}`
    await addTo(tag, count, over)
    return tag
  }
  return { addTo, people }
}

/** A marketing template that WhatsApp has approved. */
export async function approvedTemplate({ signIn }: Pick<Parley, 'signIn'>, over: object = {}): Promise<string> {
  const owner = signIn()
  const { body } = await owner.call('POST', '/api/templates', {
    name: `offer_${new Types.ObjectId().toHexString()}`,
    language: 'en',
    category: 'marketing',
    body: 'Hi {{1}}, our new tea has arrived and it waits for you in the shop.',
    buttons: [],
    examples: { 1: 'Asha' },
    accepted: warningRules,
    ...over,
  })
  await eventually(async () =>
    expect((await owner.call('GET', `/api/templates/${body.id}`)).body.status).toBe('approved'),
  )
  return body.id
}

type Person = ReturnType<Parley['signIn']>

/**
 * Writes a draft, has it reviewed and launches it.
 * @param options.accepted the warnings that are confirmed; unless they are named, all that there are. @param options.perform does the
 * work of a worker where a test has stopped them.
 * @returns the launch's answer, or the first one that is a problem.
 */
export async function launchCampaign(
  person: Pick<Person, 'call'>,
  input: object,
  options: { accepted?: readonly string[]; perform?: (id: string) => Promise<unknown> } = {},
) {
  const made = await person.call('POST', '/api/campaigns', input)
  if (made.status !== 201) return made
  const reviewed = await reviewDraft(person, made.body, options)
  return reviewed.status < 300 ? launchReviewed(person, made.body.id, reviewed.body, options) : reviewed
}

/** Has a draft reviewed. @returns the review once it has ended, or the problem. */
export async function reviewDraft(
  person: Pick<Person, 'call'>,
  { id, version }: { id: string; version: number },
  { perform }: { perform?: (id: string) => Promise<unknown> } = {},
) {
  const started = await person.call('POST', `/api/campaigns/${id}/preflight`, { version })
  if (started.status !== 202) return started
  return eventually(async () => {
    await perform?.(id)
    const answer = await person.call('GET', `/api/campaigns/${id}/preflight`)
    expect(answer.body.state).not.toBe('counting')
    return answer
  })
}

export const launchReviewed = (
  person: Pick<Person, 'call'>,
  id: string,
  review: { id: string; warnings: readonly { code: string }[] },
  { accepted = review.warnings.map(({ code }) => code) }: { accepted?: readonly string[] } = {},
) => person.call('POST', `/api/campaigns/${id}/launch`, { preflightId: review.id, accepted })

/** Returns a draft's schedule for this many minutes from now, by the clock of the workspace. */
export const scheduledIn = (minutes: number, zone = defaultSendingHours.zone) =>
  wallTimeOf(new Date(Date.now() + minutes * 60_000), zone)

/** Makes a scheduled campaign due, this number of minutes ago. */
export const makeDue = ({ database }: Pick<Parley, 'database'>, id: string, minutesAgo = 0) => {
  const due = { scheduledFor: new Date(Date.now() - minutesAgo * 60_000), nextAt: new Date(Date.now() - 1000) }
  return database.connection
    .collection('campaigns')
    .updateOne({ _id: new Types.ObjectId(id) }, { $set: due, $unset: { schedule: 1 } })
}

export const firstName = { 1: { kind: 'field', field: 'firstName', fallback: 'there' } }

/** Returns how often the simulator was asked to send each message, by our own ids. */
export async function sentBy({ simulator, number }: Pick<Parley, 'simulator' | 'number'>) {
  const { items } = await simulator.call(`/messages?phone_number_id=${number.phoneNumberId}`)
  const sent: { direction: string; callbackData: string }[] = items
  const ours = Map.groupBy(
    sent.filter(({ direction }) => direction === 'outbound'),
    ({ callbackData }) => callbackData,
  )
  return new Map([...ours].map(([id, calls]) => [id, calls.length]))
}

/** Sets the send rate of the number; the simulator takes any rate. */
export async function sendAt(
  { simulator, database, number }: Pick<Parley, 'simulator' | 'database' | 'number'>,
  throughputPerSecond: number,
) {
  await simulator.call('/limits', { standardPerSecond: null })
  await database.connection
    .collection('numbers')
    .updateOne({ _id: new Types.ObjectId(number.id) }, { $set: { throughputPerSecond } })
}

/** Does what a worker does for a campaign or a draft, for as long as something is left to do at once. */
export async function workOn({ services, scope }: Pick<Parley, 'services' | 'scope'>, id: string): Promise<void> {
  for (let isMore = true; isMore; ) {
    isMore = false
    await performCampaign(services)({ id, workspaceId: scope.workspaceId }, () => {
      isMore = true
    })
  }
}
