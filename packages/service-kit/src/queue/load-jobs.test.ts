import { expect, test } from 'vitest'
import { workQueues } from './load-jobs.ts'

test('the age of work is told of lanes and of records', async () => {
  const [sent, started] = [new Date(1000), new Date(2000)]
  const worked: string[] = []
  const work = workQueues(
    {
      workLanes: (name: string) => void worked.push(name),
      workJobs: (name: string) => void worked.push(name),
      sweepEvery: () => undefined,
    },
    [
      { lanes: 'send', due: async () => [], drain: async () => false, pendingSince: async () => ({ send: sent }) },
      { name: 'jobs', perform: async () => {}, pendingSince: async () => ({ jobs: started }) },
    ],
  )
  expect(worked).toEqual(['send', 'jobs'])
  expect(await work.pendingSince()).toEqual({ send: sent, jobs: started })
})
