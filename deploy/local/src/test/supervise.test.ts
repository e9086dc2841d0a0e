import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createChildRecord } from '../children.ts'
import { supervise } from '../supervise.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

function superviseShell(code: string) {
  const folder = temporaryFolder()
  const events: string[] = []
  const gaveUp: string[] = []
  const supervised = supervise({
    name: 'redis',
    label: 'Redis',
    command: { file: '/bin/sh', args: ['-c', code], env: {}, cwd: folder },
    logFile: join(folder, 'redis.log'),
    record: createChildRecord(join(folder, 'children.tsv')),
    onEvent: (line) => events.push(line),
    onGaveUp: (problem) => gaveUp.push(problem.message),
  })
  onTestFinished(supervised.stop)
  return { supervised, events, gaveUp }
}

test('a component that keeps dying is given up with the last lines of its log', async () => {
  const { supervised, events, gaveUp } = superviseShell('echo no space for words; exit 3')
  await supervised.untilReady(async () => true, 1000)
  await vi.waitFor(() => expect(gaveUp).toHaveLength(1), { timeout: 50_000 })
  expect(events).toHaveLength(5)
  expect(gaveUp[0]).toMatch(/Redis died 6 times within a minute \(last: exit code 3\)[\s\S]*no space for words/)
})

test('a component that is killed from here is started again however often', async () => {
  const { supervised, events, gaveUp } = superviseShell('sleep 60')
  await supervised.untilReady(async () => true, 1000)
  for (let count = 1; count <= 7; count += 1) {
    const before = supervised.pid()
    supervised.kill('SIGKILL')
    await vi.waitFor(() => expect(supervised.pid()).not.toBe(before))
    expect(events).toHaveLength(count)
  }
  expect(gaveUp).toEqual([])
})

test('a component that ends while starting is a problem at once, not a crash loop', async () => {
  const { supervised, events } = superviseShell('echo wrong option; exit 1')
  await expect(supervised.untilReady(async () => false, 20_000)).rejects.toThrow(
    /Redis stopped while starting \(exit code 1\)[\s\S]*wrong option/,
  )
  expect(events).toEqual([])
})

test('a program that is not there is a problem, not an exception', async () => {
  const folder = temporaryFolder()
  const supervised = supervise({
    name: 'redis',
    label: 'Redis',
    command: { file: join(folder, 'absent'), args: [], env: {}, cwd: folder },
    logFile: join(folder, 'redis.log'),
    record: createChildRecord(join(folder, 'children.tsv')),
    onEvent: () => undefined,
    onGaveUp: () => undefined,
  })
  await expect(supervised.untilReady(async () => false, 20_000)).rejects.toThrow(/Redis stopped while starting.*ENOENT/)
})
