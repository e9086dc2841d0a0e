import { defaultReadReceipts, type ReadReceipts, readReceiptsApi } from '@parley/contracts/inbox/read-receipts'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { answer, refuseStale } from '../answer.ts'

/** Setting saved in a story. */
const saved = new WeakMap<SampleDataset, ReadReceipts>()
const settingOf = (sampleDataset: SampleDataset): ReadReceipts => saved.get(sampleDataset) ?? defaultReadReceipts

/** Stands in for the messaging service in tests of the page. */
export const answers = [
  answer(readReceiptsApi.read, (_, sampleDataset) => settingOf(sampleDataset)),
  answer(readReceiptsApi.update, ({ body }, sampleDataset) => {
    refuseStale('setting', settingOf(sampleDataset), body.version)
    const after = { ...body, version: body.version + 1 }
    saved.set(sampleDataset, after)
    return after
  }),
]
