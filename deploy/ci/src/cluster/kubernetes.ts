import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { chartFolder } from '../chart/render.ts'

interface Outcome {
  readonly code: number
  /** Output of both streams. */
  readonly output: string
}

/** Runs a program to its end against the API server. */
export function tool(program: string, args: readonly string[], input?: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const env = { ...process.env, KUBECONFIG: inject('kubeconfig') }
    const child = execFile(program, args, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0
      resolve({ code, output: `${stdout}${stderr}${error && !stderr ? error.message : ''}` })
    })
    child.stdin?.end(input)
  })
}

/** The output of a program that must succeed. @throws with what it said. */
async function must(program: string, args: readonly string[], input?: string): Promise<string> {
  const { code, output } = await tool(program, args, input)
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 3).join(' ')}: ${output}`)
  return output
}
export const helm = (...args: string[]) => must('helm', args)
export const kubectl = (...args: string[]) => must('kubectl', args)
export const apply = (text: string, ...args: string[]) => must('kubectl', ['apply', ...args, '-f', '-'], text)

/** Answer of `kubectl get -o jsonpath`, a line each. */
export async function query(namespace: string, what: string, path: string): Promise<string[]> {
  const text = await kubectl('--namespace', namespace, 'get', what, '--output', `jsonpath=${path}`)
  return text.split('\n').filter((line) => line !== '')
}

/** A namespace that takes only pods of Pod Security "restricted". */
export async function restrictedNamespace(name: string): Promise<string> {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  await apply(JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }))
  // Pods need the account that a controller makes a moment later.
  await kubectl('wait', '--for=create', '--timeout=60s', '--namespace', name, 'serviceaccount/default')
  return name
}

/** Objects that every namespace has from its beginning. */
const always = /^(configmap\/kube-root-ca\.crt|serviceaccount\/default)$/
const kinds =
  'all,configmap,secret,serviceaccount,ingress,networkpolicy,poddisruptionbudget,servicemonitor,prometheusrule'

/** Lists everything that a release has made or left. */
export async function contents(namespace: string): Promise<string[]> {
  const names = await kubectl('--namespace', namespace, 'get', kinds, '--output', 'name', '--ignore-not-found')
  return names.split('\n').filter((name) => name !== '' && !always.test(name))
}

/** A copy of the chart with a mistake in one of its templates, for the running test. */
export function spoiledChart(file: string, right: string, wrong: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-chart-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(chartFolder, folder, { recursive: true })
  const path = join(folder, 'templates', file)
  const text = readFileSync(path, 'utf8')
  if (!text.includes(right)) throw new Error(`${file} has no ${right}`)
  writeFileSync(path, text.replaceAll(right, wrong))
  return folder
}
