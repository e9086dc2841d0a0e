import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

/** A deleted contact can be restored for this long. */
export const restorableMs = 30 * 86_400_000

/** Imports by which a contact is found; of one that is in more files, the latest. */
const maxImportIds = 50

/** Adds imports to those by which a contact is found. */
export const withImports = (known: readonly string[] | undefined, added: readonly string[]): string[] =>
  [...(known ?? []).filter((id) => !added.includes(id)), ...added].slice(-maxImportIds)

/** Contact fields that a merge changes. */
export interface MergedFields {
  readonly name: string
  readonly phone?: string | undefined
  readonly waUserId?: string | undefined
  readonly username?: string | undefined
  readonly tags: readonly string[]
  readonly attributes: ContactRecord['attributes']
}

/** Merge of a contact into another one: it is in no list, and gives its WhatsApp account up. */
interface MergedInto {
  readonly id: string
  readonly at: Date
  /** The member: the user's id; absent where WhatsApp reported that both are the same person. */
  readonly memberId?: string | undefined
  /** Job that has merged many, this pair among them. */
  readonly jobId?: string | undefined
  /** Identities by which the contact was reached before. */
  readonly account: Pick<MergedFields, 'phone' | 'waUserId' | 'username'>
  /** The contact that it was merged into, before and after. */
  readonly before: MergedFields & Pick<ContactRecord, 'blocked' | 'optIn' | 'utilityConsent' | 'importIds'>
  readonly after: MergedFields & Pick<ContactRecord, 'blocked'>
  /** Keys of the consent entries that the merge has made. */
  readonly consentKeys: readonly string[]
}

/** Identity of a contact before a change: only what has changed. */
export interface FormerIdentity {
  readonly name?: string | undefined
  readonly phone?: string | undefined
  readonly waUserId?: string | undefined
  readonly username?: string | undefined
}

/** A customer, known by a phone number, a business-scoped user id, or both. */
export interface ContactRecord {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  /** Phone number in E.164. */
  readonly phone?: string | undefined
  /**
   * The line that it reaches, where other contacts may have it in another way of writing it: no two have the same. Absent where there is
   * but one way, and of a second contact of the line, whom a person has kept apart.
   */
  readonly line?: string | undefined
  /**
   * Number (`+` and digits) that WhatsApp uses for the person with the phone number `of`, where it is another form of that one.
   * It says nothing once the contact has another phone number.
   */
  readonly waPhone?: { readonly of: string; readonly number: string } | undefined
  readonly waUserId?: string | undefined
  readonly username?: string | undefined
  /** The latest last. Files and records of that time contain the contact under these. */
  readonly former?: readonly FormerIdentity[] | undefined
  readonly tags: readonly string[]
  /** A list, since a name of a field may hold what names of stored fields may not. */
  readonly attributes: readonly { readonly k: string; readonly v: string }[]
  /** Customer's statement about marketing. */
  readonly optIn: {
    readonly marketing: 'unknown' | 'in' | 'out'
    readonly source: string
    readonly at?: Date | undefined
    /** The entry that it rests on; absent for what a contact came with. */
    readonly entryId?: string | undefined
  }
  /** Customer's statement about messages other than marketing. */
  readonly utilityConsent?: { readonly value: 'in' | 'out'; readonly at: Date; readonly entryId: string } | undefined
  readonly source: 'inbound' | 'import' | 'manual' | 'api'
  /** User id of the member who typed it in. */
  readonly addedBy?: string | undefined
  /** The import that has added it. */
  readonly importId?: string | undefined
  /** The imports that have added or changed it and were not undone, the latest last: at most {@link maxImportIds}. */
  readonly importIds?: readonly string[] | undefined
  readonly blocked: boolean
  /** The numbers for which WhatsApp takes no messages of theirs. */
  readonly blockedOn?: readonly string[] | undefined
  readonly lastContactAt?: Date | undefined
  /** Time at which WhatsApp last accepted marketing to them. */
  readonly lastMarketingAt?: Date | undefined
  /** Campaigns in a row whose message could not be delivered to them, three at most: a contact in three counts as unreachable. */
  readonly undeliveredIn?: readonly string[] | undefined
  /** False for a deleted one, which can be restored until it is erased 30 days after {@link deletedAt}. */
  readonly live: boolean
  readonly deletedAt?: Date | undefined
  readonly merged?: MergedInto | undefined
  /** Part of the sample data. */
  readonly sample?: true | undefined
  /** The folded name, by which lists are sorted. */
  readonly nameKey: string
  /** Words of name, username and tags, folded. */
  readonly words: readonly string[]
  /** Sequences of four digits of the phone number. */
  readonly grams: readonly string[]
  /** Version made by the last change of a person: changes by a customer's messages refuse no member's edit. */
  readonly editedVersion: number
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

const attributeSchema = new Schema({ k: String, v: String }, { _id: false, id: false })
const optInSchema = new Schema(
  { marketing: String, source: String, at: Date, entryId: String },
  { _id: false, id: false },
)
const utilitySchema = new Schema({ value: String, at: Date, entryId: String }, { _id: false, id: false })
const accountFields = { phone: String, waUserId: String, username: String }
const plain = { _id: false, id: false }
const importIdsField = { type: [String], default: undefined }
const mergedFields = { name: String, ...accountFields, tags: [String], attributes: [attributeSchema], blocked: Boolean }
const mergedSchema = new Schema(
  {
    id: { type: Schema.Types.ObjectId, required: true },
    at: Date,
    memberId: String,
    jobId: String,
    account: new Schema(accountFields, plain),
    before: new Schema(
      { ...mergedFields, optIn: optInSchema, utilityConsent: utilitySchema, importIds: importIdsField },
      plain,
    ),
    after: new Schema(mergedFields, plain),
    consentKeys: [String],
  },
  plain,
)

export const contactSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    phone: { type: String },
    line: { type: String },
    waPhone: { type: new Schema({ of: String, number: String }, plain) },
    waUserId: { type: String },
    username: { type: String },
    former: { type: [new Schema({ name: String, ...accountFields }, plain)], default: undefined },
    tags: { type: [String], required: true },
    attributes: { type: [attributeSchema], required: true },
    optIn: { type: optInSchema, required: true },
    utilityConsent: { type: utilitySchema },
    source: { type: String, required: true },
    addedBy: { type: String },
    importId: { type: Schema.Types.ObjectId },
    importIds: importIdsField,
    blocked: { type: Boolean, required: true },
    blockedOn: { type: [Schema.Types.ObjectId], default: undefined },
    lastContactAt: { type: Date },
    lastMarketingAt: { type: Date },
    undeliveredIn: { type: [String], default: undefined },
    live: { type: Boolean, required: true },
    deletedAt: { type: Date },
    merged: { type: mergedSchema },
    sample: { type: Boolean },
    nameKey: { type: String, default: '' },
    words: { type: [String], required: true },
    grams: { type: [String], required: true },
    editedVersion: { type: Number, required: true },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw' },
)
contactSchema.index({ workspaceId: 1, phone: 1 }, { name: 'phone', unique: true, ...whereExists('phone') })
contactSchema.index({ workspaceId: 1, waUserId: 1 }, { name: 'user-id', unique: true, ...whereExists('waUserId') })
// Lists: `live` stands behind the workspace, so that deleted contacts are in no one's way. Nothing that every message changes
// (`lastContactAt`) stands behind words, tags or digits: each of their keys would be written again.
contactSchema.index({ workspaceId: 1, live: 1, lastContactAt: -1, _id: -1 }, { name: 'last' })
contactSchema.index({ workspaceId: 1, live: 1, nameKey: 1, _id: 1 }, { name: 'name' })
contactSchema.index({ workspaceId: 1, live: 1, _id: 1 }, { name: 'newest' })
contactSchema.index({ workspaceId: 1, live: 1, words: 1, nameKey: 1, _id: 1 }, { name: 'words' })
contactSchema.index({ workspaceId: 1, live: 1, tags: 1, nameKey: 1, _id: 1 }, { name: 'tags' })
contactSchema.index({ workspaceId: 1, live: 1, grams: 1 }, { name: 'grams' })
contactSchema.index(
  { workspaceId: 1, live: 1, importIds: 1, nameKey: 1, _id: 1 },
  { name: 'imports', ...whereExists('importIds') },
)
contactSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })
contactSchema.index(
  { workspaceId: 1, 'merged.id': 1, 'merged.at': -1 },
  { name: 'merged', ...whereExists('merged.id') },
)
contactSchema.index({ workspaceId: 1, 'waPhone.number': 1 }, { name: 'wa-phone', ...whereExists('waPhone.number') })
contactSchema.index({ workspaceId: 1, line: 1 }, { name: 'line', unique: true, ...whereExists('line') })
// Finds those whose time to be restored is over: their erasure begins then. MongoDB would remove the record alone.
contactSchema.index({ deletedAt: 1 }, { name: 'deleted', ...whereExists('deletedAt') })
