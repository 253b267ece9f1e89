ALTER TABLE "console"."approvals" ALTER COLUMN "maker_role" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."operations" ALTER COLUMN "staff_role" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."notes" ALTER COLUMN "staff_role" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."policies" ADD COLUMN "help_desk" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."embed_keys" ADD COLUMN "has_link" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."operations" ADD COLUMN "ticket_origin" jsonb;--> statement-breakpoint
ALTER TABLE "console"."notes" ADD COLUMN "ticket_origin" jsonb;