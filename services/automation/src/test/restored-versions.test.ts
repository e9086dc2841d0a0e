import type { PublishProblem } from '@parley/contracts/automation/publication'
import { Types } from 'mongoose'
import { beforeAll, expect, test } from 'vitest'
import { flowOf, keyword, say, soundFlow, soundWorkflow, toPeople } from './flow-fixtures.ts'
import { joinAutomation } from './start-automation.ts'

let parley: Awaited<ReturnType<typeof joinAutomation>>
beforeAll(async () => {
  parley = await joinAutomation()
})
type Person = ReturnType<typeof parley.signIn>
const id = () => new Types.ObjectId().toHexString()

/** Publishes one draft after the other. */
async function publishAll(person: Person, kind: 'bots' | 'workflows', drafts: readonly object[]) {
  const { id } = await person.ask('POST', `/api/${kind}`, { name: 'Versions', draft: drafts[0] })
  const path = `/api/${kind}/${id}`
  let version = 1
  for (const draft of drafts) {
    const saved = await person.ask('PATCH', path, { version, draft })
    const published = await person.ask('POST', `${path}/publish`, { version: saved.version })
    version = (published.bot ?? published.workflow).version
  }
  return { path, version }
}

test.each([
  ['bots', 'bot', [soundFlow('one'), soundFlow('two')]],
  ['workflows', 'workflow', [soundWorkflow('one'), soundWorkflow('two')]],
] as const)(
  'an older version of %s is published once more as a new one, and the draft stays',
  async (kind, one, drafts) => {
    const ann = parley.signIn()
    const { path, version } = await publishAll(ann, kind, drafts)
    const { version: saved } = await ann.ask('PATCH', path, { version, draft: flowOf(...[]) })
    const restored = await ann.ask('POST', `${path}/versions/1/restore`, { version: saved, note: 'Two was wrong' })
    expect(restored).toMatchObject({ number: 3, [one]: { publishedVersion: 3, unpublishedChanges: true } })
    expect(restored[one].draft.nodes).toEqual([])
    const { items } = await ann.ask('GET', `${path}/versions`)
    expect(items[0]).toMatchObject({ number: 3, restoredFrom: 1, note: 'Two was wrong', publishedBy: ann.userId })
    const [third, first] = await Promise.all([3, 1].map((number) => ann.ask('GET', `${path}/versions/${number}`)))
    expect(third.flow).toEqual(first.flow)
  },
)

test('a keyword of an active bot answers as the restored version has it', async () => {
  const ann = parley.signIn()
  const { path, version } = await publishAll(ann, 'bots', [soundFlow('old'), soundFlow('new')])
  await ann.ask('POST', `${path}/start`)
  await ann.ask('POST', `${path}/versions/1/restore`, { version: version + 1 })
  const other = await publishAll(ann, 'bots', [soundFlow('new')])
  expect((await ann.call('POST', `${other.path}/start`)).status).toBe(200)
  const third = await publishAll(ann, 'bots', [flowOf(keyword('else'), say('Hi'), toPeople)])
  const record = await ann.ask('PATCH', third.path, { version: third.version, draft: soundFlow('old') })
  expect((await ann.call('POST', `${third.path}/publish`, { version: record.version, start: true })).body.code).toBe(
    'keyword_taken',
  )
})

test('what is gone since is told before, and nothing is published', async () => {
  const ann = parley.signIn()
  const world = parley.others.of(ann.workspaceId)
  const memberId = id()
  world.members.push({ id: memberId, name: 'Bo', role: 'agent', active: true })
  const toBo = { kind: 'assign', to: { kind: 'member', memberId } }
  const { path, version } = await publishAll(ann, 'bots', [flowOf(keyword('bo'), say('Hi'), toBo), soundFlow('bo')])
  expect(await ann.ask('POST', `${path}/check`, { number: 1 })).toMatchObject({ problems: [] })
  world.members.length = 0
  const { problems } = await ann.ask('POST', `${path}/check`, { number: 1 })
  expect(problems.map(({ code, nodeId }: PublishProblem) => [code, nodeId])).toEqual([['unknown_member', 'n2']])
  expect((await ann.ask('POST', `${path}/check`, {})).problems).toEqual([])
  const refused = await ann.call('POST', `${path}/versions/1/restore`, { version })
  expect(refused.body).toMatchObject({ code: 'invalid_flow', fields: { 'unknown_member:n2': expect.any(String) } })
  expect(await ann.ask('GET', path)).toMatchObject({ publishedVersion: 2 })
})

test('of two people who restore at once one does, and the other is told what there is now', async () => {
  const ann = parley.signIn()
  const bob = parley.signIn({ workspaceId: ann.workspaceId })
  const { path, version } = await publishAll(ann, 'bots', [soundFlow('a1'), soundFlow('a2'), soundFlow('a3')])
  const answers = await Promise.all([
    ann.call('POST', `${path}/versions/1/restore`, { version }),
    bob.call('POST', `${path}/versions/2/restore`, { version }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'stale_version',
    current: { publishedVersion: 4 },
  })
})

test('only who may publish restores, no other workspace finds it, and no version that never was is restored', async () => {
  const ann = parley.signIn()
  const agent = parley.signIn({ workspaceId: ann.workspaceId, role: 'agent' })
  const stranger = parley.signIn()
  const { path, version } = await publishAll(ann, 'bots', [soundFlow('m1'), soundFlow('m2')])
  const restore = (person: Person, number: number) =>
    person.call('POST', `${path}/versions/${number}/restore`, { version })
  expect((await restore(agent, 1)).status).toBe(403)
  expect((await restore(stranger, 1)).status).toBe(404)
  expect((await stranger.call('POST', `${path}/check`, { number: 1 })).status).toBe(404)
  expect((await restore(ann, 9)).status).toBe(404)
})
