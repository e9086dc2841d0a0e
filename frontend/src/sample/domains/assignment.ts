import { type Assignment, assignmentApi } from '@parley/contracts/inbox/assignment'
import type { SampleDataset } from '@parley/sample/sample-dataset'
import { answer, refuseStale } from '../answer.ts'

/** Setting saved in a story. */
const saved = new WeakMap<SampleDataset, Assignment>()
const assignmentOf = (sampleDataset: SampleDataset): Assignment =>
  saved.get(sampleDataset) ?? { mode: 'off', members: [], version: 0 }

/** Stands in for the messaging service in tests of the page. */
export const answers = [
  answer(assignmentApi.read, (_, sampleDataset) => assignmentOf(sampleDataset)),
  answer(assignmentApi.update, ({ body }, sampleDataset) => {
    refuseStale('setting', assignmentOf(sampleDataset), body.version)
    const after = { ...body, version: body.version + 1 }
    saved.set(sampleDataset, after)
    return after
  }),
]
