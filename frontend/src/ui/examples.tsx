import type { ReactNode } from 'react'
import { type SampleDomain, useExamples } from '../lib/sample-data.ts'
import { EmptyState } from './empty-state.tsx'
import { ExampleScope } from './example.tsx'
import { LoadSampleData } from './load-sample-data.tsx'
import { Page } from './page.tsx'
import { SkeletonBlocks } from './skeleton.tsx'

/** A screen: as it is where its domain has a service; else with the examples of the sample data, or with what is missing. */
export function Examples({
  of,
  what,
  icon,
  children,
}: {
  of: SampleDomain
  /** The plural of what the screen shows: `bots`. */
  what: string
  icon: ReactNode
  children: ReactNode
}) {
  const examples = useExamples(of)
  if (examples === 'live') return children
  if (examples === 'shown') return <ExampleScope what={what}>{children}</ExampleScope>
  return (
    <Page>
      {examples === 'none' ? (
        <EmptyState
          icon={icon}
          title={`${what.charAt(0).toUpperCase()}${what.slice(1)} are not available yet`}
          message="Nothing is stored here, and nothing runs. The sample data shows this screen with examples."
          action={<LoadSampleData />}
        />
      ) : (
        <SkeletonBlocks count={3} height="126px" />
      )}
    </Page>
  )
}
