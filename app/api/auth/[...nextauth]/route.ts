import { handleAuth } from '#lib/auth/auth.ts'

export { handleAuth as GET, handleAuth as POST }
