'use client'

import { useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { ReadName } from '#lib/api/reads.ts'
import type { Lab } from '#lib/environments/types.ts'
import { type ReadArguments, readQuery } from '#lib/queries/reads.ts'
import type { Environment } from '#lib/shared/routes.ts'

const EnvironmentContext = createContext<Environment | null>(null)

/** Names the environment of the page to everything below. */
export const EnvironmentProvider = EnvironmentContext.Provider

/** The environment of the page. Throws outside of the console's frame. */
export function useEnvironment(): Environment {
  const environment = useContext(EnvironmentContext)
  if (environment === null) throw new Error('No environment: the component is outside of ConsoleShell.')
  return environment
}

const LabContext = createContext<Lab>(null)

/** Says what the environment of the page simulates with. */
export const LabProvider = LabContext.Provider

/** The lab of the page's environment; null where nothing can be simulated. */
export function useLab(): Lab {
  return useContext(LabContext)
}

/** A read of the page's environment, by its name, as `useQuery` returns it. */
export function useRead<Name extends ReadName>(name: Name, ...args: ReadArguments<Name>) {
  return useQuery(readQuery(name, useEnvironment(), ...args))
}

/** Why a list of the page's environment may be empty: no call of the interface makes its records. Undefined beside the built-in service. */
export function useMadeByService(how: 'charges fees' | 'opens disputes'): string | undefined {
  return useLab() === 'interface' ? `This sandbox ${how} itself: the interface has no call for it.` : undefined
}
