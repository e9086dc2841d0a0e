import type { SampleDataset } from '@parley/sample/sample-dataset'
import { onSessionEnd } from '../lib/auth/session-end.ts'
import { forcedState } from './forced-state.ts'

let current: { isEmpty: boolean; sampleDataset: Promise<SampleDataset> } | undefined

/** The sample workspace of the person who is signed in, with whatever they have changed in it since the page loaded. */
export function currentSampleDataset(): Promise<SampleDataset> {
  const isEmpty = forcedState() === 'empty'
  if (current?.isEmpty !== isEmpty) current = { isEmpty, sampleDataset: createDataset(isEmpty) }
  return current.sampleDataset
}

async function createDataset(isEmpty: boolean): Promise<SampleDataset> {
  const { createSampleDataset } = await import('@parley/sample/sample-dataset')
  const sampleDataset = createSampleDataset({ now: new Date(), ...(isEmpty && { records: 0 }) })
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
