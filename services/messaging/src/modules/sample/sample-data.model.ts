import type { SampleDataState } from '@parley/contracts/platform/sample-data'
import { Schema } from 'mongoose'

/** What has become of the sample data in a workspace; one record each. */
export interface SampleDataRecord {
  readonly id: string
  readonly workspaceId: string
  readonly state: SampleDataState['state']
  /** The moment that the times of its records are told from. */
  readonly toldAt: Date
  /** What the lists of the inbox show is there; the rest is on its way. */
  readonly inboxReady?: true | undefined
  /** While it is loaded or cleared: whoever finds that ended goes on with it. */
  readonly leaseUntil?: Date | undefined
  /** Its messages are found by search. */
  readonly searchable?: true | undefined
  /** Its numbers are on the simulator. */
  readonly simulated?: true | undefined
  /** Until then somebody is putting them there. */
  readonly simulatingUntil?: Date | undefined
}

export const sampleDataSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    state: { type: String, required: true },
    toldAt: { type: Date, required: true },
    inboxReady: { type: Boolean },
    leaseUntil: { type: Date },
    searchable: { type: Boolean },
    simulated: { type: Boolean },
    simulatingUntil: { type: Date },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
sampleDataSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
