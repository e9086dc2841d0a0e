import { type CampaignReview, campaignReviewSchema } from '@parley/contracts/campaigns/campaign-drafts'
import type { Notification } from '@parley/contracts/platform/notifications'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  approvedTemplate,
  createPeople,
  eventually,
  firstName,
  launchReviewed,
  makeDue,
  reviewDraft,
  scheduledIn,
  sendAt,
} from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
type Person = ReturnType<typeof parley.signIn>
let [ann, bob, cleo]: [Person?, Person?, Person?] = []
let templateId: string
vi.setConfig({ testTimeout: 240_000 })
const owner = () => ann as Person
const admin = () => bob as Person

const { addTo, people } = createPeople(() => parley, 919_861_000_000)
const approvals = () => parley.database.connection.collection('approvals')
/** An answer that profile has been asked for: on a busy machine it may take too long at first. */
const answered = <T extends { status: number }>(call: () => Promise<T>): Promise<T> =>
  eventually(async () => {
    const answer = await call()
    expect(answer.status).not.toBe(503)
    return answer
  })
const none = { campaignCost: null, exportedContacts: null, deletedContacts: null, numberRemoval: false }
const rules = async (campaignRecipients: number | null, others: object = {}) => {
  const { version } = await owner().ask('GET', '/api/workspace/approvals')
  const body = { ...none, ...others, campaignRecipients, version }
  return answered(() => owner().call('PUT', '/api/workspace/approvals', body))
}
beforeAll(async () => {
  parley = await joinMessaging()
  await sendAt(parley, 150)
  templateId = await approvedTemplate(parley)
  ann = parley.signIn()
  bob = parley.signIn({ role: 'admin' })
  cleo = parley.signIn({ role: 'agent' })
})
afterAll(() => parley.stop())

interface Reviewed {
  readonly id: string
  readonly tag: string
  readonly version: number
  readonly review: CampaignReview
}
const fieldsFor = (tag: string) => ({
  name: 'Spring tea',
  audience: { kind: 'tags', tags: [tag] },
  numberId: parley.number.id,
  templateId,
  variables: firstName,
})
const again = async (draft: { id: string; version: number }): Promise<CampaignReview> =>
  campaignReviewSchema.parse((await reviewDraft(owner(), draft)).body)
async function reviewed(recipients: number): Promise<Reviewed> {
  const tag = await people(recipients)
  const { id, version } = await owner().ask('POST', '/api/campaigns', fieldsFor(tag))
  return { id, tag, version, review: await again({ id, version }) }
}
const ask = ({ id, review }: Pick<Reviewed, 'id' | 'review'>, by = owner(), note = 'For the fair') =>
  answered(() => by.call('POST', `/api/campaigns/${id}/approval`, { preflightId: review.id, note }))
const decide = (id: string, body: object = { decision: 'approve' }, by = admin()) =>
  by.call('POST', `/api/approvals/${id}/decision`, body)
const stateOf = async ({ id }: Pick<Reviewed, 'id'>) =>
  (await owner().ask('GET', `/api/campaigns/${id}/approval`)).approval
const told = async (person: Person): Promise<Notification[]> =>
  (await person.ask('GET', '/api/notifications?limit=100')).items.filter(
    ({ category }: Notification) => category === 'approval',
  )
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

test('a rule needs two who decide, and owners alone change it', async () => {
  const members = await parley.members()
  await members.join(owner(), 'Ann Stone', 'active', 'owner')
  expect(await rules(5)).toMatchObject({ status: 409, body: { message: expect.stringMatching(/Invite another/) } })
  await members.join(admin(), 'Bob Reed', 'active', 'admin')
  expect((await rules(5)).body).toEqual({ ...none, campaignRecipients: 5, version: 1 })
  const put = (by: Person) =>
    by.call('PUT', '/api/workspace/approvals', { ...none, campaignRecipients: null, version: 1 })
  expect(codeOf(await put(admin()))).toEqual([403, 'forbidden'])
  expect(codeOf(await put(cleo as Person))).toEqual([403, 'forbidden'])
})

test('a launch over the limit needs another member, who is told, and whose approval the requester is told of', async () => {
  const few = await reviewed(5)
  expect(codeOf(await ask(few))).toEqual([409, 'wrong_state'])
  expect((await launchReviewed(owner(), few.id, few.review)).status).toBe(200)

  const many = await reviewed(6)
  const refused = await launchReviewed(owner(), many.id, many.review)
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'approval_required', message: expect.stringMatching(/more than 5 recipients.*Ask for it/) },
  })
  const key = parley.signInKey(['campaigns:send'])
  expect(codeOf(await launchReviewed(key, many.id, many.review))).toEqual([409, 'approval_required'])
  expect((await ask(many, key as Person)).status).toBe(401)

  const [first, second] = await Promise.all([ask(many), ask(many)])
  expect([first.status, first.body.id]).toEqual([201, second.body.id])
  expect(first.body).toMatchObject({
    state: 'pending',
    subject: { recipients: 6 },
    note: 'For the fair',
    askedBy: owner().userId,
  })
  expect(await told(admin())).toMatchObject([
    {
      title: 'Spring tea waits for your approval',
      body: 'Ann Stone wants to send it to 6 recipients. For the fair',
      object: { kind: 'draft', id: many.id },
    },
  ])
  expect(await told(owner())).toEqual([])
  expect((await admin().ask('GET', '/api/approvals')).items).toMatchObject([{ subject: { campaignId: many.id } }])
  expect(codeOf(await decide(first.body.id, undefined, owner()))).toEqual([409, 'wrong_state'])
  expect((await decide(first.body.id, undefined, cleo)).status).toBe(403)
  expect(codeOf(await launchReviewed(admin(), many.id, many.review))).toEqual([409, 'approval_required'])

  expect((await decide(first.body.id)).body).toMatchObject({ state: 'approved', decidedBy: admin().userId })
  expect(await told(owner())).toMatchObject([{ title: 'Spring tea was approved', severity: 'success' }])
  expect((await admin().ask('GET', '/api/approvals')).items).toEqual([])
  expect((await launchReviewed(key, many.id, many.review)).status).toBe(200)
  expect(await stateOf(many)).toMatchObject({ state: 'used' })
})

test('of two who decide at once the first counts; what is declined is not sent, and can be asked for again', async () => {
  const draft = await reviewed(6)
  const { body: request } = await ask(draft)
  const eve = parley.signIn({ role: 'owner' })
  const answers = await Promise.all([
    decide(request.id),
    decide(request.id, { decision: 'decline', reason: 'Too many' }, eve),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.message).toMatch(/Somebody else has decided/)

  const other = await reviewed(6)
  const { body: declined } = await ask(other)
  expect((await decide(declined.id, { decision: 'decline', reason: ' ' })).status).toBe(400)
  expect((await decide(declined.id, { decision: 'decline', reason: 'Wait for June' })).body.state).toBe('declined')
  expect((await told(owner()))[0]).toMatchObject({ title: 'Spring tea was declined', body: 'Bob Reed: Wait for June' })
  expect(await launchReviewed(owner(), other.id, other.review)).toMatchObject({
    status: 409,
    body: { code: 'approval_required', message: expect.stringMatching(/declined/) },
  })
  const { body: asked } = await ask(other)
  expect([asked.state, asked.id === declined.id]).toEqual(['pending', false])
})

test('an approval is of what was asked for: an edit or more people void it, another review and fewer people do not', async () => {
  const draft = await reviewed(8)
  const { body: request } = await ask(draft)
  expect((await decide(request.id)).status).toBe(200)
  const old = new Date(Date.now() - 16 * 60_000)
  const forget = () =>
    parley.database.connection
      .collection('campaigns')
      .updateOne({ _id: new Types.ObjectId(draft.id) }, { $set: { 'review.readyAt': old } })
  await forget()
  const later = await again(draft)
  expect([later.id === draft.review.id, (await stateOf(draft)).state]).toEqual([false, 'approved'])
  await addTo(draft.tag, 1)
  await forget()
  const larger = await again(draft)
  expect(await stateOf(draft)).toMatchObject({
    state: 'void',
    changed: 'It has 9 recipients now, and 8 at the request.',
  })
  expect(codeOf(await launchReviewed(owner(), draft.id, larger))).toEqual([409, 'approval_required'])
  const { body: next } = await ask({ id: draft.id, review: larger })
  expect([next.state, next.subject.recipients]).toEqual(['pending', 9])

  const saved = await owner().ask('PATCH', `/api/campaigns/${draft.id}`, {
    ...fieldsFor(draft.tag),
    name: 'Summer tea',
    version: draft.version,
  })
  expect(await stateOf(draft)).toMatchObject({ state: 'void', changed: 'The campaign was edited after the request.' })
  expect((await decide(next.id)).body.message).toMatch(/edited after the request/)
  expect((await admin().ask('GET', '/api/approvals')).items.map(({ id }: { id: string }) => id)).not.toContain(next.id)
  const review = await again({ id: draft.id, version: saved.version })
  expect(codeOf(await launchReviewed(owner(), draft.id, review))).toEqual([409, 'approval_required'])
})

test('a request and an approval end after their time', async () => {
  const draft = await reviewed(6)
  const { body: request } = await ask(draft)
  const end = (id: string) =>
    approvals().updateOne({ _id: new Types.ObjectId(id) }, { $set: { expiresAt: new Date(Date.now() - 1000) } })
  await end(request.id)
  expect((await stateOf(draft)).state).toBe('expired')
  expect((await decide(request.id)).body.message).toMatch(/time to decide/)
  const { body: other } = await ask(draft)
  expect(other.id).not.toBe(request.id)
  expect((await decide(other.id)).status).toBe(200)
  await end(other.id)
  const fresh = await again(draft)
  expect(codeOf(await launchReviewed(owner(), draft.id, fresh))).toEqual([409, 'approval_required'])
})

test('a campaign that has grown over the limit since its launch goes on when another member wants it', async () => {
  const tag = await people(5)
  const schedule = scheduledIn(90)
  const draft = await owner().ask('POST', '/api/campaigns', { ...fieldsFor(tag), schedule })
  expect((await launchReviewed(owner(), draft.id, await again(draft))).status).toBe(200)
  await addTo(tag, 2)
  await makeDue(parley, draft.id)
  await eventually(async () =>
    expect(await owner().ask('GET', `/api/campaigns/${draft.id}`)).toMatchObject({ pausedFor: 'more_recipients' }),
  )
  const resume = (by: Pick<Person, 'call'>) =>
    by.call('POST', `/api/campaigns/${draft.id}/status`, { action: 'resume' })
  expect(codeOf(await resume(owner()))).toEqual([409, 'approval_required'])
  expect(codeOf(await resume(parley.signInKey(['campaigns:send'])))).toEqual([409, 'approval_required'])
  expect((await resume(admin())).status).toBe(200)
})

test('an approval is used once, also by two launches at the same time; lifted, the rule asks for none', async () => {
  const draft = await reviewed(6)
  const { body: request } = await ask(draft)
  await decide(request.id)
  const answers = await Promise.all([1, 2].map(() => launchReviewed(owner(), draft.id, draft.review)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  const other = await reviewed(6)
  expect((await rules(null)).status).toBe(200)
  await eventually(async () => expect((await launchReviewed(owner(), other.id, await again(other))).status).toBe(200))
})

test('a campaign that is expected to cost more than the limit needs an approval', async () => {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' }).format(new Date())
  const rates = [{ country: 'IN', category: 'marketing', priceMicros: 780_000 }]
  const card = { effectiveFrom: today, currency: 'INR', rates }
  expect((await rules(null, { campaignCost: 2 })).status).toBe(200)
  const unpriced = await reviewed(1)
  expect(codeOf(await launchReviewed(owner(), unpriced.id, unpriced.review))).toEqual([409, 'approval_required'])
  expect((await owner().call('POST', '/api/workspace/rate-cards', card)).status).toBe(201)
  expect((await rules(null, { campaignCost: 2 })).body).toMatchObject({ campaignRecipients: null, campaignCost: 2 })
  const cheap = await reviewed(2)
  expect((await launchReviewed(owner(), cheap.id, cheap.review)).status).toBe(200)
  const cheaper = { ...card, effectiveFrom: '2099-01-01', rates: [{ ...rates[0], priceMicros: 1 }] }
  expect(codeOf(await admin().call('POST', '/api/workspace/rate-cards', cheaper))).toEqual([403, 'forbidden'])
  const later = await owner().ask('POST', '/api/workspace/rate-cards', cheaper)
  expect(codeOf(await admin().call('DELETE', `/api/workspace/rate-cards/${later.id}`))).toEqual([403, 'forbidden'])
  const dear = await reviewed(3)
  expect(await launchReviewed(owner(), dear.id, dear.review)).toMatchObject({
    status: 409,
    body: {
      code: 'approval_required',
      message: expect.stringMatching(/cost more than 2, or an unknown amount, need the approval/),
    },
  })
  const { body: request } = await ask(dear)
  expect(request.subject).toMatchObject({ cost: { micros: 2_340_000, currency: 'INR', unpriced: 0 } })
  expect((await told(admin()))[0]?.body).toBe('Ann Stone wants to send it to 3 recipients for ₹2.34. For the fair')
  expect((await decide(request.id)).status).toBe(200)
  expect((await launchReviewed(owner(), dear.id, dear.review)).status).toBe(200)
  expect((await rules(null)).status).toBe(200)
  expect((await admin().call('DELETE', `/api/workspace/rate-cards/${later.id}`)).status).toBe(204)
})
