import { defaultSendingHours, type SendingHours, sendingHoursApi } from '@parley/contracts/campaigns/sending-hours'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { answer, refuseStale } from '../answer.ts'

/** Setting saved in a story. */
const saved = new WeakMap<SampleDataset, SendingHours>()
const hoursOf = (sampleDataset: SampleDataset): SendingHours => saved.get(sampleDataset) ?? defaultSendingHours

/** Stands in for the messaging service in tests of the page. */
export const answers = [
  answer(sendingHoursApi.read, (_, sampleDataset) => hoursOf(sampleDataset)),
  answer(sendingHoursApi.update, ({ body }, sampleDataset) => {
    refuseStale('setting', hoursOf(sampleDataset), body.version)
    const after = { ...body, version: body.version + 1 }
    saved.set(sampleDataset, after)
    return after
  }),
]
