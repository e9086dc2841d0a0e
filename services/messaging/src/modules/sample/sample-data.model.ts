import type { SampleDataState } from '@parley/contracts/platform/sample-data'
import { Schema } from 'mongoose'

/** State of the sample data in a workspace; one record each. */
export interface SampleDataRecord {
  readonly id: string
  readonly workspaceId: string
  readonly state: SampleDataState['state']
  /** Moment from which the times of its records are computed. */
  readonly toldAt: Date
  /** Set once the data that the inbox's lists show is there; the rest is still being loaded. */
  readonly inboxReady?: true | undefined
  /** Lease while it is loaded or cleared; once it has expired, another process continues. */
  readonly leaseUntil?: Date | undefined
  /** True where its messages are found by search. */
  readonly searchable?: true | undefined
  /** True where its numbers are on the simulator. */
  readonly simulated?: true | undefined
  /** Lease of the process that is putting them there. */
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
