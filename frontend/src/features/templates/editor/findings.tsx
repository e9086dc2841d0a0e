import { templateAdvice } from '@parley/contracts/template-advice'
import { templateProblems } from '@parley/contracts/template-problems'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { type FieldPath, get, useFormContext } from 'react-hook-form'
import { Field, type FieldProps } from '../../../ui/field.tsx'
import { contentOf, type TemplateFormValues } from './form-values.ts'

type Findings = Readonly<Record<string, string>>

const FindingsContext = createContext<Findings>({})
/** Nobody is corrected in the middle of a word. */
const restMs = 600

/** Judges the form while it is written: what WhatsApp would refuse, and what it often rejects or gives another category. */
export function FindingsOfForm({ children }: { children: ReactNode }) {
  const { subscribe, getValues } = useFormContext<TemplateFormValues>()
  const [findings, setFindings] = useState<Findings>(() => findingsOf(getValues()))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const unsubscribe = subscribe({
      formState: { values: true },
      callback: () => {
        clearTimeout(timer)
        timer = setTimeout(() => setFindings(findingsOf(getValues())), restMs)
      },
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [subscribe, getValues])
  return <FindingsContext value={findings}>{children}</FindingsContext>
}

/** What is said of a field before the form is sent. */
export const useFinding = (name: string): string | undefined => useContext(FindingsContext)[name]

/** A field with what is said of it. */
export function TemplateField<N extends FieldPath<TemplateFormValues>>(props: FieldProps<TemplateFormValues, N>) {
  return <Field {...props} warning={useFinding(props.name)} />
}

/** The first finding of each field; one that is still empty is not faulted before the form is sent. */
function findingsOf(values: TemplateFormValues): Findings {
  const content = contentOf(values)
  const problems = templateProblems(content).filter(({ path }) => get(content, path.join('.'), '') !== '')
  const found = [...problems, ...templateAdvice(content)].map(({ path, message }) => [path.join('.'), message] as const)
  return Object.fromEntries(found.toReversed())
}
