import type { TemplateRecord } from './templates.model.ts'

/** Returns whether a template exists here alone: it was never submitted for review, or has not reached WhatsApp. */
export const isUnsent = ({ status, waTemplateId }: Pick<TemplateRecord, 'status' | 'waTemplateId'>): boolean =>
  status === 'draft' && waTemplateId === undefined
