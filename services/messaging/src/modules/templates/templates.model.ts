import type { Template } from '@parley/contracts/templates/templates'
import { whereExists } from '@parley/service-kit/data/partial-index'
import { Schema } from 'mongoose'

type Shown = Omit<Template, 'id' | 'createdAt' | 'updatedAt' | 'version' | 'contentVersion' | 'editedAt'>

/** A message template of a workspace's account at WhatsApp. */
export interface TemplateRecord extends Shown {
  readonly id: string
  readonly workspaceId: string
  readonly businessAccountId: string
  /** Account, name and language, set until it is removed: unique. */
  readonly key?: string | undefined
  /** Time at which it was hidden, and the end of the time in which it can be restored. */
  readonly removedAt?: Date | undefined
  readonly restorableUntil?: Date | undefined
  /** Key of a hidden template, while its name is not free. */
  readonly hiddenKey?: string | undefined
  /** Set while it is still to be deleted at WhatsApp. */
  readonly purge?: 'due' | undefined
  readonly purgeAt?: Date | undefined
  /** Time of its deletion there, and the time from which WhatsApp accepts its name again, where it was approved. */
  readonly deletedAt?: Date | undefined
  readonly nameFreeAt?: Date | undefined
  /** Id at WhatsApp; absent for the moment until WhatsApp has accepted it. */
  readonly waTemplateId?: string | undefined
  /** Start of its submission to WhatsApp, until the answer is known. */
  readonly submittedAt?: Date | undefined
  /** Time of its first submission to WhatsApp; absent where it was written elsewhere, or longer ago. */
  readonly sentAt?: Date | undefined
  /** Times at which WhatsApp last reported each field, by its own clock; an older report is ignored. */
  readonly toldAt?: { readonly [K in DatedField]?: Date | undefined } | undefined
  /** Its components at WhatsApp, as JSON, where people cannot write all of them here. */
  readonly components?: string | undefined
  /** Times at which it was changed while approved: the latest ten. */
  readonly editedAt?: readonly Date[] | undefined
  readonly sample?: true | undefined
  /** The number of what it says, among its versions; absent: the first. */
  readonly contentVersion?: number | undefined
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Fields of a template that webhooks report separately. */
export type DatedField = 'status' | 'category' | 'quality'

const text = { type: String, required: true }

export const templateSchema = new Schema(
  {
    workspaceId: { type: Schema.Types.ObjectId, required: true },
    businessAccountId: text,
    key: { type: String },
    removedAt: { type: Date },
    restorableUntil: { type: Date },
    hiddenKey: { type: String },
    purge: { type: String },
    purgeAt: { type: Date },
    deletedAt: { type: Date },
    nameFreeAt: { type: Date },
    waTemplateId: { type: String },
    name: text,
    language: text,
    category: text,
    header: { type: String },
    headerMedia: { type: Schema.Types.Mixed },
    authentication: { type: Schema.Types.Mixed },
    offer: { type: Schema.Types.Mixed },
    body: text,
    footer: { type: String },
    buttons: {
      type: [
        new Schema(
          {
            ...{ kind: String, text: String, url: String, tracked: String, phone: String, code: String },
            ...{ form: String, screen: String, minutes: Number, product: String, sections: Schema.Types.Mixed },
          },
          { _id: false, id: false },
        ),
      ],
      required: true,
    },
    cards: { type: Schema.Types.Mixed },
    examples: { type: Schema.Types.Mixed, required: true },
    status: text,
    rejectionReason: { type: String },
    quality: { type: String },
    statusDetail: { type: String },
    nextCategory: { type: String },
    unsupported: { type: [String], default: undefined },
    components: { type: String },
    toldAt: { type: new Schema({ status: Date, category: Date, quality: Date }, { _id: false, id: false }) },
    submittedAt: { type: Date },
    sentAt: { type: Date },
    editedAt: { type: [Date], default: undefined },
    sample: { type: Boolean },
    contentVersion: { type: Number },
    draft: { type: Schema.Types.Mixed },
    version: { type: Number, required: true },
  },
  { timestamps: true, versionKey: false, strict: 'throw', strictQuery: 'throw', minimize: false },
)
// A template that is removed keeps no key, so that its name is free.
templateSchema.index({ workspaceId: 1, key: 1 }, { name: 'key', unique: true, ...whereExists('key') })
templateSchema.index({ workspaceId: 1, updatedAt: -1, _id: -1 }, { name: 'latest', ...whereExists('key') })
templateSchema.index({ workspaceId: 1, sample: 1 }, { name: 'sample', partialFilterExpression: { sample: true } })
templateSchema.index(
  { workspaceId: 1, waTemplateId: 1 },
  { name: 'platform', unique: true, ...whereExists('waTemplateId') },
)
templateSchema.index({ workspaceId: 1, businessAccountId: 1 }, { name: 'account' })
templateSchema.index({ workspaceId: 1, hiddenKey: 1 }, { name: 'hidden', ...whereExists('hiddenKey') })
templateSchema.index({ purge: 1, purgeAt: 1 }, { name: 'purge', ...whereExists('purge') })
// New templates of an hour, whose number WhatsApp limits.
templateSchema.index({ workspaceId: 1, businessAccountId: 1, sentAt: 1 }, { name: 'sent', ...whereExists('sentAt') })
// Templates by their file, which is not deleted with what a person was sent.
templateSchema.index(
  { workspaceId: 1, 'headerMedia.file.mediaId': 1 },
  { name: 'file', ...whereExists('headerMedia.file.mediaId') },
)
templateSchema.index(
  { workspaceId: 1, 'draft.content.headerMedia.file.mediaId': 1 },
  { name: 'draft-file', ...whereExists('draft.content.headerMedia.file.mediaId') },
)
templateSchema.index(
  { workspaceId: 1, 'cards.headerMedia.file.mediaId': 1 },
  { name: 'card-file', ...whereExists('cards.headerMedia.file.mediaId') },
)
templateSchema.index(
  { workspaceId: 1, 'draft.content.cards.headerMedia.file.mediaId': 1 },
  { name: 'draft-card-file', ...whereExists('draft.content.cards.headerMedia.file.mediaId') },
)

/** Returns the key of a template that is not removed: account, name and language. */
export const templateKey = (accountId: string, { name, language }: Pick<Template, 'name' | 'language'>): string =>
  `${accountId}/${name}/${language}`
