import { MongoClient } from 'mongodb'
import { expect, onTestFinished, test } from 'vitest'
import { startStack } from '../stack.ts'
import { createVisitor } from '../testing/app-visitor.ts'
import { folderOnSmallDisk } from '../testing/small-disk.ts'

/** mongod refuses the first write that finds no room, and then ends: what follows is an outage until it is started again. */
test('MongoDB on a disk that fills up: only clear answers, and all goes on once there is room, without a restart of ours', async ({
  skip,
}) => {
  const folder = folderOnSmallDisk()
  if (!folder) return skip('this user may not mount a small disk')
  const notes: string[] = []
  const note = (line: string) => {
    notes.push(line)
    // Done at once: restarted without room it would die again, and be given up in the end.
    if (/^MongoDB died/.test(line)) folder.giveRoom()
  }
  const stack = await startStack({
    dataDir: folder.dataDir,
    throwAway: true,
    environment: {},
    onProgress: (progress) => progress.kind === 'note' && note(progress.line),
  })
  onTestFinished(stack.stop)
  const ann = await createVisitor(stack.urls.app, { email: 'ann@parley.test', password: 'correct horse' })
  const other = new MongoClient(stack.urls.mongodb, { serverSelectionTimeoutMS: 1000 })
  onTestFinished(() => other.close())
  const changed = async () => {
    const reply = await ann.change({ address: '1 Main Street' })
    if (reply.status === 200) return true
    expect([503, 504], JSON.stringify(reply)).toContain(reply.status)
    expect(reply.body).toMatchObject({
      code: expect.stringMatching(/^(writes_unavailable|service_unavailable|upstream_timeout)$/),
    })
    return false
  }
  expect(await changed()).toBe(true)

  folder.fill()
  const big = Buffer.alloc(4_000_000, 'x')
  const isFull = () => notes.some((line) => /^MongoDB died/.test(line))
  while (!isFull()) {
    await Promise.all([
      changed(),
      other
        .db('other')
        .collection('big')
        .insertOne({ big })
        .catch(() => undefined),
    ])
    await other
      .db('admin')
      .command({ fsync: 1 })
      .catch(() => undefined)
  }
  await expect.poll(changed, { timeout: 90_000 }).toBe(true)
  const { status } = await fetch(`http://127.0.0.1:${stack.env.profile['PORT']}/readyz`)
  expect(status).toBe(200)
  expect(notes.filter((line) => /\bdied\b/.test(line) && !line.startsWith('MongoDB'))).toEqual([])
}, 400_000)
