import type { TemplateRecord } from './templates.model.ts'

/** Whether a template is written here alone: it was never sent for review, or has not reached WhatsApp. */
export const isUnsent = ({ status, waTemplateId }: Pick<TemplateRecord, 'status' | 'waTemplateId'>): boolean =>
  status === 'draft' && waTemplateId === undefined
