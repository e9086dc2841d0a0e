import { openWarnings, type TemplateFinding, type WarningRule } from '@parley/contracts/templates/template-findings'
import { accountRules } from '@parley/rules/template-account'
import { lintTemplate } from '@parley/rules/template-lint'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import type { FieldPath, UseFormReturn } from 'react-hook-form'
import { formatMicros } from '../../../lib/format.ts'
import { Field, type FieldProps } from '../../../ui/field.tsx'
import { type Judged, templateLintOptions } from '../api.ts'
import { contentOf, type TemplateFormValues } from './form-values.ts'

const FindingsContext = createContext<readonly TemplateFinding[]>([])
/** Pause that avoids findings in the middle of a word. */
const restMs = 600

/** Template, or account, that a form is for. */
interface Of {
  readonly templateId: string | undefined
  readonly accountId: string | undefined
}

/**
 * Judges the form while it is written: what WhatsApp would refuse, and what it often rejects or treats otherwise. What only the
 * account tells comes from the server.
 */
export function useFindings({ subscribe, getValues }: UseFormReturn<TemplateFormValues>, of: Of) {
  const client = useQueryClient()
  const [written, setWritten] = useState(() => contentOf(getValues()))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const unsubscribe = subscribe({
      formState: { values: true },
      callback: () => {
        clearTimeout(timer)
        timer = setTimeout(() => setWritten(contentOf(getValues())), restMs)
      },
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [subscribe, getValues])
  const { templateId, accountId } = of
  const { data } = useQuery(templateLintOptions({ content: written, templateId, accountId }))
  const findings = useMemo(() => together(written, data), [written, data])
  return {
    findings,
    /** Form values when it was judged last. */
    written,
    /** The warnings of what the form says at this moment, beside those that were accepted. */
    openNow: (accepted: readonly WarningRule[]): TemplateFinding[] => {
      const content = contentOf(getValues())
      // The check boxes are there at once, without a delay.
      setWritten(content)
      const known = client.getQueryData(templateLintOptions({ content, templateId, accountId }).queryKey)
      return openWarnings(together(content, known), accepted)
    },
  }
}

const together = (content: TemplateFormValues, known?: Judged): TemplateFinding[] => [
  ...lintTemplate(content).map((finding) => withPrice(finding, known?.priceChange)),
  ...(known?.findings ?? []).filter(({ rule }) => accountRules.includes(rule)),
]

/** Adds the price to the reason. */
function withPrice(finding: TemplateFinding, change: Judged['priceChange']): TemplateFinding {
  if (finding.rule !== 'promotional' || !change) return finding
  const money = (micros: number) => formatMicros(micros, change.currency, { exact: true })
  const price = `${money(change.thenMicros)} in place of ${money(change.nowMicros)} a message`
  return { ...finding, message: `${finding.message}: ${price}` }
}

/** The first finding of each field is said beside it; one that is still empty is not faulted before the form is sent. */
export function FindingsOfForm({ findings, children }: { findings: readonly TemplateFinding[]; children: ReactNode }) {
  return <FindingsContext value={findings}>{children}</FindingsContext>
}

/** Returns the finding for a field before the form is sent. */
export const useFinding = (name: string): string | undefined =>
  use(FindingsContext).find(({ rule, path }) => path.join('.') === name && !ofEmpty.has(rule))?.message

const ofEmpty = new Set<TemplateFinding['rule']>(['required', 'sample_missing'])

/** A field with what is said of it. */
export function TemplateField<N extends FieldPath<TemplateFormValues>>(props: FieldProps<TemplateFormValues, N>) {
  return <Field {...props} warning={useFinding(props.name)} />
}
