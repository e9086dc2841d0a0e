import { apiKeysApi } from '@parley/contracts/account/api-key-endpoints'
import { contactsApi } from '@parley/contracts/contacts/contact-endpoints'
import { expect, test } from 'vitest'
import { connected, launch, leftIn, operator, upload } from './move-fixtures.ts'
import { ask, placesOf, signedUp, startCells } from './two-cells.ts'

/** Milliseconds of the simulator's clock after which every webhook that was refused has come again. */
const laterMs = 40 * 60_000
/** Milliseconds between two messages of the customer. Every second one is answered: one customer gets ten at once, and then one in six seconds. */
const pauseMs = 1500
const recipients = 30

test('a workspace moves while it is written to, is killed twice on the way, and nothing is lost, doubled or left', async () => {
  const cells = await startCells({ ownHome: true, weight: 0 })
  const { bff, stores, simulator, workspaces } = cells
  const move = operator(cells)
  const [mover, other] = [await signedUp(bff), await signedUp(bff)]
  const moved = await connected(mover, simulator, '919812340011')
  const stays = await connected(other, simulator, '919812340022')
  const key = { name: 'Shop', scopes: ['contacts:read'] }
  const { secret } = apiKeysApi.create.response.parse(await ask(mover, 'POST', '/api/api-keys', key))
  const listed = async () => {
    const answer = await fetch(`${bff.url}/v1/contacts?limit=100`, { headers: { authorization: `Bearer ${secret}` } })
    return contactsApi.list.response.parse(await answer.json()).items.map(({ phone }) => phone)
  }
  const mediaId = await upload(mover)
  const image = { type: 'image', mediaId, caption: 'reply with a picture' }
  expect((await moved.send(image)).status).toBe(201)
  const sendAt = new Date(Date.now() + 120_000).toISOString()
  expect((await moved.send({ type: 'text', text: 'reply at a time' }, { sendAt })).status).toBe(201)
  // A campaign is in the middle: WhatsApp takes one message a second.
  await moved.act('/limits', { standardPerSecond: 1 })
  const campaign = await launch(mover, moved.numberId, recipients)

  // Customers write, and a member answers, from the beginning to the end.
  const written = ['first']
  const accepted = ['reply with a picture', 'reply at a time']
  const refused = new Set<number>()
  let ended = false
  const answer = async (nth: number) => {
    const { status, headers } = await moved.reply(`reply ${nth}`)
    if (status < 300) accepted.push(`reply ${nth}`)
    else {
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true])
      refused.add(nth)
    }
  }
  const writing = (async () => {
    for (let nth = 1; !ended; nth += 1) {
      await moved.write(`inbound ${nth}`)
      written.push(`inbound ${nth}`)
      if (nth % 2 === 0) await answer(nth)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  })()
  const to = ['--workspace', moved.workspaceId, '--to', 'west']
  await move.killedAt('calls for the workspace are refused', ...to)
  await move.killedAt('the workspace is in the other cell', ...to)
  await stays.write('meanwhile')
  const done = await move.run(...to)
  expect(done.output).toContain('the workspace has moved')
  expect(done.exitCode).toBe(0)
  ended = true
  await writing
  expect(refused.size).toBeGreaterThan(0)
  await moved.act('/limits', { standardPerSecond: 80 })

  // WhatsApp repeats what was refused, at the address that it knows: the old cell hands it on.
  const inbound = () => moved.texts('inbound')
  const repeated = async () => {
    await moved.act('/clock', { advance: laterMs })
    return (await inbound()).length
  }
  await expect.poll(repeated, { interval: 3000, timeout: 240_000 }).toBeGreaterThanOrEqual(written.length)
  expect((await inbound()).sort()).toEqual([...written].sort())
  expect((await moved.texts('outbound')).sort()).toEqual([...accepted].sort())
  await expect
    .poll(moved.statuses, { timeout: 240_000 })
    .not.toEqual(expect.arrayContaining([expect.stringMatching(/^(queued|failed)$/)]))
  await expect.poll(async () => (await campaign()).status, { timeout: 240_000 }).toBe('completed')
  // Each message has left once, whichever cell sent it.
  const sent = await moved.sent()
  expect(new Set(sent).size).toBe(sent.length)
  expect(sent).toHaveLength(accepted.length + recipients)
  expect((await workspaces.find().toArray()).map(({ _id, cell }) => [String(_id), cell])).toEqual(
    expect.arrayContaining([[moved.workspaceId, 'west']]),
  )

  // Sessions and keys lead to the new cell, the other workspace is where it was, and neither cell has anything of the other's.
  expect((await moved.reply('after')).status).toBe(201)
  await expect.poll(() => moved.texts()).toContain('after')
  expect(await listed()).toHaveLength(recipients + 1)
  expect((await mover.send('GET', `/api/media/${mediaId}`)).status).toBe(200)
  await expect.poll(() => stays.texts()).toEqual(expect.arrayContaining(['first', 'meanwhile']))
  const nothing = { collections: ['workspaceMoves'], chunks: 0 }
  await expect.poll(() => leftIn(stores.home, moved.workspaceId)).toEqual(nothing)
  expect(await placesOf(stays.workspaceId, stores.west)).toEqual([])
  await moved.write('at last')
  await expect.poll(() => moved.texts()).toContain('at last')
}, 900_000)

test('of two commands one moves the workspace, and the other, which has slept, changes nothing', async () => {
  const cells = await startCells({ ownHome: true, weight: 0 })
  const { bff, simulator } = cells
  const move = operator(cells)
  const browser = await signedUp(bff)
  const moved = await connected(browser, simulator, '919812340044')
  const mediaId = await upload(browser)
  const to = ['--workspace', moved.workspaceId, '--to', 'west']
  const slept = await move.startedUntil('calls for the workspace are refused', ...to)
  slept.signal('SIGSTOP')
  expect((await move.run(...to)).output).toContain('the workspace has moved')
  expect((await moved.reply('in the other cell')).status).toBe(201)
  slept.signal('SIGCONT')
  expect(await slept.exit).toBe(1)
  await expect.poll(() => moved.texts()).toEqual(expect.arrayContaining(['first', 'in the other cell']))
  expect((await browser.send('GET', `/api/media/${mediaId}`)).status).toBe(200)
  await moved.write('second')
  await expect.poll(() => moved.texts()).toContain('second')
}, 600_000)

test('a move that is given up, or dies, leaves everything as it was, and mistakes change nothing', async () => {
  const cells = await startCells({ ownHome: true, weight: 0 })
  const { bff, stores, simulator } = cells
  const move = operator(cells)
  const browser = await signedUp(bff)
  const stays = await connected(browser, simulator, '919812340033')
  await upload(browser)
  const of = ['--workspace', stays.workspaceId]
  for (const [args, sentence] of [
    [[...of], 'say --workspace'],
    [[...of, '--to', 'home'], 'is in home already'],
    [[...of, '--to', 'east'], 'lists no cell east'],
    [['--workspace', 'f'.repeat(24), '--to', 'west'], 'no such workspace'],
    [[...of, '--abort'], 'does not move'],
  ] as const) {
    const { exitCode, output } = await move.run(...args)
    expect([exitCode, output]).toEqual([1, expect.stringContaining(sentence)])
  }
  // Left alone, the move ends: the cell goes on, and the other one erases what had come.
  await move.killedAt('copied', ...of, '--to', 'west')
  expect((await stays.reply('while it is stopped')).status).toBe(503)
  await expect.poll(async () => (await stays.reply('second')).status, { timeout: 90_000, interval: 2000 }).toBe(201)
  const nothing = { collections: ['workspaceMoves'], chunks: 0 }
  await expect.poll(() => leftIn(stores.west, stays.workspaceId), { timeout: 90_000 }).toEqual(nothing)

  await move.killedAt('copied', ...of, '--to', 'west')
  const given = await move.run(...of, '--abort')
  expect([given.exitCode, given.output]).toEqual([0, expect.stringContaining('the workspace is where it was')])
  await expect.poll(() => leftIn(stores.west, stays.workspaceId)).toEqual(nothing)
  await stays.write('third')
  await expect.poll(() => stays.texts()).toEqual(expect.arrayContaining(['first', 'second', 'third']))
  await expect.poll(stays.statuses).toEqual(expect.arrayContaining([expect.stringMatching(/^(sent|delivered|read)$/)]))
}, 600_000)
