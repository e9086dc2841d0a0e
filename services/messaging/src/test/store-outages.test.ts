import { setTimeout as wait } from 'node:timers/promises'
import { folderOnSmallDisk } from '@parley/local/testing/small-disk'
import { expect, test } from 'vitest'
import { startUnderLoad } from './under-load.ts'

/** `OUTAGE_SECONDS=30` is the long form. */
const outageMs = Number(process.env['OUTAGE_SECONDS'] ?? 8) * 1000

test('the primary of MongoDB is gone for a while under load: nothing is lost, nothing leaves twice', async () => {
  const { stack, goesOn, expectNothingLost } = await startUnderLoad()
  await goesOn()
  // Connections stay open and nothing answers: worse than a process that has ended.
  stack.kill('mongodb', 'SIGSTOP')
  await wait(outageMs)
  stack.kill('mongodb', 'SIGCONT')
  await goesOn()
  await expectNothingLost()
}, 700_000)

test('MongoDB refuses every write for a while under load: nothing is lost and nothing set aside', async () => {
  const { connection, goesOn, expectNothingLost } = await startUnderLoad()
  const refuseWrites = (mode: 'alwaysOn' | 'off') =>
    connection
      .getClient()
      .db('admin')
      .command({
        configureFailPoint: 'failCommand',
        mode,
        data: { errorCode: 14_031, failCommands: ['insert', 'update', 'findAndModify', 'delete'] },
      })
  await goesOn()
  await refuseWrites('alwaysOn')
  await wait(outageMs)
  await refuseWrites('off')
  await goesOn()
  await expectNothingLost()
}, 700_000)

test('the disk of MongoDB fills up under load, and has room again: nothing is lost, nothing leaves twice', async ({
  skip,
}) => {
  const folder = folderOnSmallDisk()
  if (!folder) return skip('this user may not mount a small disk')
  const { connection, notes, goesOn, expectNothingLost } = await startUnderLoad({ dataDir: folder.dataDir })
  await goesOn()
  const hasDied = () => notes().some((line) => /^MongoDB died/.test(line))
  folder.fill()
  const big = Buffer.alloc(4_000_000, 'x')
  const other = connection.getClient().db('other').collection('big')
  // mongod ends at the first write that finds no room.
  await expect
    .poll(
      async () => {
        if (!hasDied()) await other.insertOne({ big }).catch(() => undefined)
        return hasDied()
      },
      { timeout: 300_000, interval: 50 },
    )
    .toBe(true)
  // Started again without room it would die again, and be given up in the end.
  folder.giveRoom()
  await goesOn()
  await expectNothingLost()
}, 900_000)
