import type { TemplateRecord } from './templates.model.ts'

/** The number of what a template says. What was never changed is the first version of it. */
export const contentVersionOf = ({ contentVersion = 1 }: Pick<TemplateRecord, 'contentVersion'>): number =>
  contentVersion
