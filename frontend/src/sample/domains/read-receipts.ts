import { defaultReadReceipts, type ReadReceipts, readReceiptsApi } from '@parley/contracts/read-receipts'
import type { Story } from '@parley/sample/story'
import { answer, refuseStale } from '../answer.ts'

/** What was saved in a story. */
const saved = new WeakMap<Story, ReadReceipts>()
const settingOf = (story: Story): ReadReceipts => saved.get(story) ?? defaultReadReceipts

/** Stands in for the messaging service in tests of the page. */
export const answers = [
  answer(readReceiptsApi.read, (_, story) => settingOf(story)),
  answer(readReceiptsApi.update, ({ body }, story) => {
    refuseStale('setting', settingOf(story), body.version)
    const after = { ...body, version: body.version + 1 }
    saved.set(story, after)
    return after
  }),
]
