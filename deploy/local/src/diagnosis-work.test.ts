import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgeWork } from './diagnosis-work.ts'
import { repoRoot } from './paths.ts'

const quiet = `# HELP jobs_failed Jobs
jobs_failed{kind="contacts.import",process="messaging-worker"} 0
pending_work_seconds{kind="send",process="messaging-worker"} 3.5
pending_work_seconds{kind="campaigns",process="messaging-worker"} 300
queue_dead_jobs{queue="messaging-jobs",process="messaging-worker"} 0
`

test('nothing is said where nothing failed and nothing waits for long', () => {
  expect(judgeWork([quiet, ''])).toEqual([{ verdict: 'ok', subject: 'Work', finding: 'nothing failed, nothing waits' }])
})

test('what failed, waits or is stopped is named once, with the page that says what to do', () => {
  const text = `jobs_failed{kind="contacts.import",process="messaging-worker"} 2
pending_work_seconds{kind="send",process="messaging-worker"} 75
queue_dead_jobs{queue="messaging-jobs",process="messaging-worker"} 1
webhook_events_set_aside{kind="status",process="messaging-worker"} 4
numbers_stopped{kind="real",process="messaging-worker"} 1
webhooks_waiting{kind="failed",process="messaging-webhooks"} 3
`
  const checks = judgeWork([quiet, text, text])
  expect(checks.map(({ verdict, finding }) => [verdict, finding])).toEqual([
    ['problem', 'the oldest work of send waits for 75 s'],
    ['problem', '2 of contacts.import in seven days'],
    ['problem', '1 in the queue messaging-jobs'],
    ['problem', "4 pieces of WhatsApp's webhooks of kind status"],
    ['note', 'nothing leaves from 1 of WhatsApp'],
    ['note', 'the receivers of 3 fail'],
  ])
  for (const { remedy = '' } of checks) expect(existsSync(`${repoRoot}/${remedy.split(' ')[0]}`), remedy).toBe(true)
})
