import type { UseQueryResult } from '@tanstack/react-query'
import { Drawer } from 'antd'
import type { ReactNode } from 'react'
import { ApiError } from '../lib/api.ts'
import { NotHere } from './empty-state.tsx'
import { ErrorState } from './error-state.tsx'
import { Skeleton, SkeletonBar } from './skeleton.tsx'

interface Props<R> {
  open: boolean
  onClose: () => void
  /** One of the list it lies over: `contact`. Its plural has an s. */
  what: string
  /** Pixels, where the window has them. */
  width: number
  record: Pick<UseQueryResult<R>, 'data' | 'error' | 'isFetching'> & { readonly refetch: () => unknown }
  title: (record: R) => ReactNode
  footer: (record: R) => ReactNode
  /** Message about the record, where it cannot be loaded. */
  failure: string
  className: string | undefined
  children: (record: R) => ReactNode
}

/** Drawer with all that is known of one record, over its list; also while it loads, fails or does not exist. */
export function DetailsDrawer<R>({ open, onClose, what, width, record, title, footer, ...body }: Props<R>) {
  const { data } = record
  return (
    <Drawer
      open={open}
      onClose={onClose}
      size={`min(${width}px, 100vw)`}
      title={data ? title(data) : `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`}
      closable={{ 'aria-label': 'Close details', placement: 'end' }}
      destroyOnHidden
      footer={data && footer(data)}
    >
      <Body record={record} what={what} onClose={onClose} {...body} />
    </Drawer>
  )
}

function Body<R>({
  record: { data, error, isFetching, refetch },
  what,
  failure,
  className,
  onClose,
  children,
}: Pick<Props<R>, 'record' | 'what' | 'failure' | 'className' | 'onClose' | 'children'>) {
  if (error instanceof ApiError && error.status === 404) return <NotHere what={what} onLeave={onClose} />
  if (error && !data && !isFetching)
    return <ErrorState title={`The ${what} could not be loaded`} message={failure} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Skeleton className={className}>
        <SkeletonBar width="40%" height="24px" />
        <SkeletonBar height="220px" />
        <SkeletonBar height="180px" />
      </Skeleton>
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may be longer than the window, and the keyboard must scroll it.
    <section className={className} aria-label="Details" tabIndex={0}>
      {children(data)}
    </section>
  )
}
