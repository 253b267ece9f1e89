ALTER TABLE "service"."webhook_messages" DROP CONSTRAINT "webhook_messages_webhook_id_webhooks_id_fk";
--> statement-breakpoint
DROP INDEX "service"."webhook_messages_queue";--> statement-breakpoint
ALTER TABLE "service"."webhook_messages" ADD COLUMN "body" text NOT NULL;--> statement-breakpoint
ALTER TABLE "service"."webhooks" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "service"."webhooks" ADD COLUMN "due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "service"."webhooks" ADD COLUMN "held_by" bigint;--> statement-breakpoint
ALTER TABLE "service"."webhooks" ADD COLUMN "ping_id" uuid;--> statement-breakpoint
ALTER TABLE "service"."webhooks" ADD COLUMN "lease_id" uuid;--> statement-breakpoint
ALTER TABLE "service"."webhooks" ADD COLUMN "leased_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "webhook_messages_queue" ON "service"."webhook_messages" USING btree ("webhook_id","position");--> statement-breakpoint
ALTER TABLE "service"."webhook_messages" DROP COLUMN "attempts";--> statement-breakpoint
ALTER TABLE "service"."webhook_messages" DROP COLUMN "delivered";