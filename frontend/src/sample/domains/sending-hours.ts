import { defaultSendingHours, type SendingHours, sendingHoursApi } from '@parley/contracts/sending-hours'
import type { Story } from '@parley/sample/story'
import { answer, refuseStale } from '../answer.ts'

/** What was saved in a story. */
const saved = new WeakMap<Story, SendingHours>()
const hoursOf = (story: Story): SendingHours => saved.get(story) ?? defaultSendingHours

/** Stands in for the messaging service in tests of the page. */
export const answers = [
  answer(sendingHoursApi.read, (_, story) => hoursOf(story)),
  answer(sendingHoursApi.update, ({ body }, story) => {
    refuseStale('setting', hoursOf(story), body.version)
    const after = { ...body, version: body.version + 1 }
    saved.set(story, after)
    return after
  }),
]
