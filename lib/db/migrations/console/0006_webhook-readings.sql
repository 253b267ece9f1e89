ALTER TABLE "console"."watched_webhooks" ALTER COLUMN "stats_status" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."watched_webhooks" ALTER COLUMN "queued_messages" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."webhook_transitions" ALTER COLUMN "queued_messages" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."rate_samples" ADD COLUMN "excluded" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."watched_webhooks" ADD COLUMN "stats_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "console"."watched_webhooks" ADD COLUMN "stats_problem" text;--> statement-breakpoint
ALTER TABLE "console"."watched_webhooks" ADD COLUMN "unreadable_since" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "console"."watched_webhooks" SET "stats_at" = "seen_at";