import type { Step } from '../new/steps.ts'

/** Leads to the steps of a draft: to one of them, or to the first that is not finished. */
export type OpenDraft = (id: string, step?: Step, how?: { replace?: boolean }) => void
