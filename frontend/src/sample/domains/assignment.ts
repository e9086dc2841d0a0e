import { type Assignment, assignmentApi } from '@parley/contracts/assignment'
import type { Story } from '@parley/sample/story'
import { answer, refuseStale } from '../answer.ts'

/** What was saved in a story. */
const saved = new WeakMap<Story, Assignment>()
const assignmentOf = (story: Story): Assignment => saved.get(story) ?? { mode: 'off', members: [], version: 0 }

/** Stands in for the messaging service in tests of the page. */
export const answers = [
  answer(assignmentApi.read, (_, story) => assignmentOf(story)),
  answer(assignmentApi.update, ({ body }, story) => {
    refuseStale('setting', assignmentOf(story), body.version)
    const after = { ...body, version: body.version + 1 }
    saved.set(story, after)
    return after
  }),
]
