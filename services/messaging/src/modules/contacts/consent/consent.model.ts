import {
  type ConsentCategory,
  type ConsentSettings,
  consentCategories,
  consentSources,
} from '@parley/contracts/contacts/consent'
import { Schema } from 'mongoose'
import type { ConsentFact } from './resolve-consent.ts'

/** One statement of a person about one category, with its proof. Never changed. */
export interface EntryRecord extends ConsentFact {
  readonly id: string
  readonly workspaceId: string
  readonly contactId: string
  readonly category: ConsentCategory
  readonly note?: string | undefined
  readonly memberId?: string | undefined
  /** Key of the evidence, unique in a workspace: the same message, webhook or row twice is one entry. */
  readonly key: string
  readonly recordedAt: Date
  /** Time since which it no longer counts. */
  readonly takenBackAt?: Date | undefined
}

const text = { type: String, required: true }
const workspaceId = { type: Schema.Types.ObjectId, required: true }
const category = { type: String, enum: consentCategories, required: true }
const strict = { versionKey: false, strict: 'throw', strictQuery: 'throw' } as const

export const entrySchema = new Schema(
  {
    workspaceId,
    contactId: { type: Schema.Types.ObjectId, required: true },
    category,
    value: { type: String, enum: ['in', 'out'], required: true },
    source: { type: String, enum: consentSources, required: true },
    note: { type: String },
    memberId: { type: String },
    key: text,
    at: { type: Date, required: true },
    recordedAt: { type: Date, required: true },
    takenBackAt: { type: Date },
  },
  strict,
)
entrySchema.index({ workspaceId: 1, key: 1 }, { name: 'key', unique: true })
entrySchema.index({ workspaceId: 1, contactId: 1, at: -1, _id: -1 }, { name: 'contact' })
entrySchema.index({ workspaceId: 1, recordedAt: 1, _id: 1 }, { name: 'recorded' })

/** An address that has opted out: it survives the deletion of its contact. */
export interface SuppressionRecord {
  readonly id: string
  readonly workspaceId: string
  readonly addressHash: string
  readonly category: ConsentCategory
  /** Time at which it was last stated. */
  readonly at: Date
}

export const suppressionSchema = new Schema({ workspaceId, addressHash: text, category, at: { type: Date } }, strict)
suppressionSchema.index({ workspaceId: 1, addressHash: 1, category: 1 }, { name: 'address', unique: true })

/** A workspace's rules about consent. */
export interface SettingsRecord extends ConsentSettings {
  readonly id: string
  readonly workspaceId: string
  /** The key of {@link SuppressionRecord.addressHash}, sealed. */
  readonly hashKey: string
}

const required = { type: Boolean, required: true }
const words = { type: [String], required: true }

export const settingsSchema = new Schema(
  {
    workspaceId,
    hashKey: text,
    stop: words,
    stopAll: words,
    start: words,
    ignored: words,
    stopAnswer: { type: String },
    startAnswer: { type: String },
    needsOptIn: required,
    recentDays: { type: Number },
    version: { type: Number, required: true },
  },
  strict,
)
settingsSchema.index({ workspaceId: 1 }, { name: 'workspace', unique: true })
