import type { SampleDataset } from '@parley/sample/sample-dataset'
import { onSessionEnd } from '../lib/auth/session-end.ts'
import { forcedRecords } from './forced-state.ts'

let current: { records: number | undefined; sampleDataset: Promise<SampleDataset> } | undefined

/** The sample workspace of the person who is signed in, with whatever they have changed in it since the page loaded. */
export function currentSampleDataset(): Promise<SampleDataset> {
  const records = forcedRecords()
  if (current?.records !== records || !current) current = { records, sampleDataset: createStoryFor(records) }
  return current.sampleDataset
}

async function createStoryFor(records: number | undefined): Promise<SampleDataset> {
  const { createSampleDataset } = await import('@parley/sample/sample-dataset')
  const sampleDataset = createSampleDataset({ now: new Date(), ...(records !== undefined && { records }) })
  // The contacts are by far the largest part, made between two tasks of the page: together with rendering they would block the
  // page.
  await nextTask()
  void sampleDataset.contacts
  await nextTask()
  return sampleDataset
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve))

onSessionEnd(() => {
  current = undefined
})
