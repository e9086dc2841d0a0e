import { randomInt } from 'node:crypto'
import { billingApi, type Usage } from '@parley/contracts/usage/usage'
import { Secret } from '@parley/service-kit/core/secret-box'
import { Types } from 'mongoose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { countReal } from '../modules/channel/numbers/connect-number.ts'
import { eventually } from './campaign-fixtures.ts'
import { joinMessaging } from './start-messaging.ts'

let parley: Awaited<ReturnType<typeof joinMessaging>>
let members: Awaited<ReturnType<typeof parley.members>>
vi.setConfig({ testTimeout: 240_000 })
beforeAll(async () => {
  parley = await joinMessaging()
  members = await parley.members()
})
afterAll(() => parley.stop())

type Person = ReturnType<typeof parley.signIn>
/** An owner of a new workspace, on its trial: one number, two members. */
async function newcomer(createdAt = new Date()): Promise<Person> {
  const workspaceId = Types.ObjectId.createFromTime(createdAt.getTime() / 1000)
    .toHexString()
    .replace(/0{16}$/, new Types.ObjectId().toHexString().slice(8))
  const owner = parley.signIn({ workspaceId })
  await members.join(owner, 'Ann Stone', 'active', 'owner')
  return owner
}
const plan = (owner: Person, id: 'starter' | 'growth' | 'pro') =>
  parley.services.applyPlan(owner, { plan: id, source: 'operator' })

/** Connects a number as one of WhatsApp's: an account of its own each time. */
async function connect(owner: Person) {
  const made = await parley.simulator.call('/numbers', { name: `Shop ${randomInt(1e9)}` })
  await parley.services.endpoints.addAppSecret(owner, new Secret(made.appSecret), { simulated: true })
  return parley.services.numberConnection.connect(owner, {
    phoneNumberId: made.phoneNumberId,
    businessAccountId: made.accountId,
    accessToken: new Secret(made.accessToken),
    graphUrl: parley.number.graphUrl,
  })
}
const outcome = (owner: Person) =>
  connect(owner).then(
    ({ id }) => id,
    ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
  )
const connected = async (owner: Person) => countReal(await parley.services.numbers.list(owner))
const choose = (owner: Person, id: string) =>
  eventually(async () => {
    const answer = await owner.call('POST', '/api/billing/plan', { plan: id })
    expect(answer.status).not.toBe(503)
    return answer
  })

test('a number over the plan is refused, also of two at once; the stand-in’s and a larger plan are not', async () => {
  const owner = await newcomer()
  const both = await Promise.all([outcome(owner), outcome(owner)])
  const full = 'plan_limit: Your plan has room for 1 number. Remove one, or choose a larger plan.'
  expect(both.filter((one) => one === full)).toHaveLength(1)
  expect(await connected(owner)).toBe(1)
  expect(await outcome(owner)).toBe(full)
  await plan(owner, 'growth')
  expect(await outcome(owner)).toMatch(/^[0-9a-f]{24}$/)
  expect(await outcome(owner)).toMatch(/room for 2 numbers/)
})

test('once the trial is over no number is added; those that are there stay', async () => {
  const owner = await newcomer(new Date(Date.now() - 20 * 86_400_000))
  expect(await outcome(owner)).toBe('plan_limit: Your trial is over. Choose a plan to connect numbers.')
  await plan(owner, 'starter')
  expect(await outcome(owner)).toMatch(/^[0-9a-f]{24}$/)
})

test('a smaller plan is chosen once numbers and members fit, and what follows it counts from then on', async () => {
  const owner = await newcomer()
  await plan(owner, 'growth')
  const ids = [await outcome(owner), await outcome(owner)]
  for (const name of ['Bob Reed', 'Cleo Park'])
    await members.join(parley.signIn({ workspaceId: owner.workspaceId }), name)
  expect((await choose(owner, 'starter')).body).toMatchObject({
    code: 'plan_limit',
    message: 'Starter has room for 1 number and 2 team members. Remove 1 number and 1 member or invitation first.',
  })
  await owner.ask('DELETE', `/api/numbers/${ids[1]}`)
  expect((await choose(owner, 'starter')).body.message).toMatch(/Remove 1 member or invitation first/)
  await plan(owner, 'pro')
  expect((await choose(owner, 'growth')).body).toMatchObject({ plan: 'Pro', next: { plan: 'Growth' } })
  expect(await parley.services.quota.planLimits(owner)).toEqual({ numbers: 2, teamMembers: 5, ended: false })
})

test('the periods of a workspace follow each other to its first, each with what was used in it', async () => {
  const owner = await newcomer(new Date(Date.now() - 75 * 86_400_000))
  await plan(owner, 'growth')
  const uses = (at: Date, messages: number) => {
    const from = new Date(Math.floor(at.getTime() / 900_000) * 900_000)
    const record = { workspaceId: new Types.ObjectId(owner.workspaceId), from, messages, credits: 1 }
    return parley.database.connection.collection('usageCounts').insertOne(record)
  }
  await uses(new Date(), 7)
  await uses(new Date(Date.now() - 70 * 86_400_000), 40)
  const { items } = billingApi.periods.response.parse(await owner.ask('GET', '/api/billing/periods'))
  const { from, messages }: Usage = await owner.ask('GET', '/api/usage')
  expect(items[0]).toMatchObject({ from, messages: messages.used })
  expect(items.map((period) => period.messages)).toEqual([7, 0, 40])
  for (const [index, period] of items.slice(1).entries()) expect(period.to).toBe(items[index]?.from)
  const admin = parley.signIn({ role: 'agent' })
  expect((await admin.call('GET', '/api/billing/periods')).status).toBe(403)
})

test('past periods keep their plan and price when another one is chosen', async () => {
  const created = new Date(Date.now() - 100 * 86_400_000)
  const workspaceId = Types.ObjectId.createFromTime(created.getTime() / 1000)
  const owner = parley.signIn({ workspaceId: workspaceId.toHexString() })
  const choose = async (plan: string) =>
    expect((await owner.call('POST', '/api/billing/plan', { plan })).status).toBe(200)
  await choose('starter')
  const plans = parley.database.connection.collection('workspacePlans')
  // The choice was made when the workspace was forty days old.
  const at = new Date(created.getTime() + 40 * 86_400_000)
  await plans.updateOne({ workspaceId }, { $set: { at } })
  await choose('growth')
  const { items } = billingApi.periods.response.parse(await owner.ask('GET', '/api/billing/periods'))
  const named = items.map(({ plan }) => [plan?.name, plan?.price.amount])
  expect(named[0]).toEqual(['Growth', 2_999_00])
  expect(named[1]).toEqual(['Starter', 999_00])
  expect(named.at(-1)).toEqual(['Free Trial', 0])

  // A version before has kept when it was chosen alone.
  await plans.updateOne({ workspaceId }, { $unset: { history: 1 } })
  const old = billingApi.periods.response.parse(await owner.ask('GET', '/api/billing/periods'))
  expect(old.items.map(({ plan }) => plan?.name ?? null)).toEqual(['Growth', ...named.slice(1).map(() => null)])
})
