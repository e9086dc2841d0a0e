import type { FlowNodeType } from '@parley/contracts/flow'
import { createContext, use } from 'react'
import type { Names } from './summary.ts'

/** What settings can choose from, beyond the flow itself. */
export interface Choices extends Names {
  readonly templates: readonly {
    readonly id: string
    readonly name: string
    readonly placeholders: readonly string[]
  }[]
  readonly tags: readonly string[]
  readonly members: readonly string[]
}

export type What = 'bot' | 'workflow'

export interface NewNode {
  readonly type: FlowNodeType
  readonly kind: string
}

const Context = createContext<Choices>({ bots: [], templates: [], tags: [], members: [] })
export const ChoicesProvider = Context.Provider
export const useChoices = (): Choices => use(Context)
