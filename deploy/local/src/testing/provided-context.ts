import type { ProvidedStack } from './provided-stack.ts'

declare module 'vitest' {
  interface ProvidedContext {
    stack: ProvidedStack
  }
}
