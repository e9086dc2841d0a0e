import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessName } from '@parley/processes/processes'
import type { Environment, StackContext } from '../component.ts'
import { pickVariables } from '../environment.ts'
import { buildFrontend, frontendDist } from '../frontend-build.ts'
import { processOrigin, publicOrigin } from './addresses.ts'
import { issuerUrl } from './identity-provider.ts'
import { smtpUrl } from './mail.ts'

/** Limits for one machine, where every browser and test has the same IP: those for each IP must not apply. */
const localLimits = {
  LIMIT_SIGN_IN_PER_MINUTE_PER_IP: '6000',
  LIMIT_SIGN_UP_PER_HOUR_PER_IP: '6000',
  LIMIT_RESET_PER_HOUR_PER_IP: '6000',
  LIMIT_AUTHORIZE_PER_MINUTE_PER_IP: '6000',
}

const messagingSettings = (context: StackContext): Environment => ({
  SECRET_KEYS: context.secrets.secretKeys,
  HOOKS_PUBLIC_URL: processOrigin(context, 'messaging-ingest'),
  LINKS_PUBLIC_URL: processOrigin(context, 'messaging-ingest'),
  ...pickVariables(context.environment, (name) => name === 'HOOKS_PUBLIC_URL' || name === 'LINKS_PUBLIC_URL'),
  PLAN_LIMITS: 'on',
  WEBHOOK_ALLOW_PRIVATE: 'on',
  BILLING: context.environment['BILLING'] || 'open',
})

const automationSettings = ({ secrets }: StackContext): Environment => ({
  SECRET_KEYS: secrets.automationSecretKeys,
  CONNECTION_ALLOW_PRIVATE: 'on',
})

/** Returns the folder in which a stand-in for an external server keeps its data. */
export const standInData = ({ paths }: Pick<StackContext, 'paths'>, name: ProcessName): string => join(paths.data, name)

/** Settings of single processes beyond what the registry says of them. */
const settings: Partial<Record<ProcessName, (context: StackContext) => Environment>> = {
  bff: (context) => ({
    ...localLimits,
    ...pickVariables(context.environment, (name) => name.startsWith('LIMIT_') || name === 'PASSWORD_SIGN_IN'),
    PUBLIC_ORIGIN: publicOrigin(context),
    TRUST_PROXY_HOPS: '0',
    OIDC_ISSUER: issuerUrl(context),
    OIDC_WEB_CLIENT_ID: 'bff-web',
    OIDC_WEB_CLIENT_SECRET: context.secrets.bffWebSecret,
    OIDC_PASSWORD_CLIENT_ID: 'bff-password',
    OIDC_PASSWORD_CLIENT_SECRET: context.secrets.bffPasswordSecret,
    SESSION_KEYS: context.secrets.sessionKeys,
    STATIC_DIR: context.pagePort === undefined ? frontendDist : pagelessSite(context),
  }),
  identity: (context) => ({
    OIDC_ISSUER: issuerUrl(context),
    IDENTITY_CLIENT_ID: 'svc-identity',
    IDENTITY_CLIENT_SECRET: context.secrets.svcIdentitySecret,
    MAIL_LINK_CLIENT_ID: 'app-links',
    PUBLIC_ORIGIN: publicOrigin(context),
  }),
  messaging: (context) => ({
    ...messagingSettings(context),
    SAMPLE_DATA: context.environment['SAMPLE_DATA'] || 'on',
    SIMULATOR_URL: processOrigin(context, 'simulator'),
  }),
  'messaging-ingest': messagingSettings,
  'messaging-worker': messagingSettings,
  'messaging-webhooks': messagingSettings,
  automation: automationSettings,
  'automation-worker': automationSettings,
  'profile-worker': (context) => ({
    PUBLIC_ORIGIN: publicOrigin(context),
    AUDIT_KEYS: context.secrets.auditKeys,
    SMTP_URL: smtpUrl(context),
    MAIL_FROM: context.environment['MAIL_FROM'] || 'no-reply@parley.local',
  }),
  simulator: (context) => ({ SIMULATOR_DATA: standInData(context, 'simulator') }),
}

export const settingsOf = (name: ProcessName, context: StackContext): Environment => settings[name]?.(context) ?? {}

/** Folder that the BFF would serve where Vite serves the page. */
const pagelessSite = ({ paths }: StackContext): string => join(paths.data, 'no-page')

/** Does the work that a process needs before its start. */
export async function prepareProcess(name: ProcessName, context: StackContext): Promise<void> {
  if (name !== 'bff') return
  const { note, pagePort } = context
  if (pagePort === undefined) return buildFrontend(note)
  mkdirSync(pagelessSite(context), { recursive: true })
  writeFileSync(join(pagelessSite(context), 'index.html'), `The page is at ${publicOrigin(context)}.`)
}
