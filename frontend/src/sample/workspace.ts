import type { Story } from '@parley/sample/story'
import { onSessionEnd } from '../lib/auth/session-end.ts'
import { forcedRecords } from './forced-state.ts'

let current: { records: number | undefined; story: Promise<Story> } | undefined

/** The sample workspace of the person who is signed in, with whatever they have changed in it since the page loaded. */
export function currentStory(): Promise<Story> {
  const records = forcedRecords()
  if (current?.records !== records || !current) current = { records, story: createStoryFor(records) }
  return current.story
}

async function createStoryFor(records: number | undefined): Promise<Story> {
  const { createStory } = await import('@parley/sample/story')
  const story = createStory({ now: new Date(), ...(records !== undefined && { records }) })
  // By far its largest part, made between two tasks of the page: in one with what is drawn from it, it would hold the page up.
  await nextTask()
  void story.contacts
  await nextTask()
  return story
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve))

onSessionEnd(() => {
  current = undefined
})
