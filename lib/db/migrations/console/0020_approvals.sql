CREATE TABLE "console"."approvals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"subject" text NOT NULL,
	"kind" text NOT NULL,
	"topic" text NOT NULL,
	"maker_id" uuid NOT NULL,
	"maker_name" text NOT NULL,
	"maker_role" text NOT NULL,
	"maker_email" text NOT NULL,
	"target_type" text NOT NULL,
	"target_id" text NOT NULL,
	"target_parent_id" text,
	"target_label" text,
	"reason" text,
	"comment" text,
	"effect" text NOT NULL,
	"amount" text,
	"currency" text,
	"because" jsonb NOT NULL,
	"endpoint" text,
	"method" text,
	"path" text,
	"fingerprint" text NOT NULL,
	"sealed_terms" "bytea",
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by_id" uuid,
	"decided_by_name" text,
	"decided_by_role" text,
	"decision_reason" text,
	"notice_attempts" integer DEFAULT 0 NOT NULL,
	"notice_due_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "console"."policies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"state" text NOT NULL,
	"rules" jsonb NOT NULL,
	"expiry_hours" integer NOT NULL,
	"tolerance_percent" text NOT NULL,
	"comment" text NOT NULL,
	"proposed_by_id" uuid NOT NULL,
	"proposed_by_name" text NOT NULL,
	"proposed_by_email" text NOT NULL,
	"proposed_at" timestamp (3) with time zone NOT NULL,
	"decided_by_id" uuid,
	"decided_by_name" text,
	"decided_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "console"."operations" ADD COLUMN "needs_approval" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."operations" ADD COLUMN "sealed_grant" "bytea";--> statement-breakpoint
ALTER TABLE "console"."operations" ADD COLUMN "approved_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "approvals_by_created" ON "console"."approvals" USING btree ("environment","created_at","id");--> statement-breakpoint
CREATE INDEX "approvals_target" ON "console"."approvals" USING btree ("environment","target_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "approvals_waiting" ON "console"."approvals" USING btree ("expires_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "approvals_notices" ON "console"."approvals" USING btree ("notice_due_at") WHERE notice_due_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "policies_active" ON "console"."policies" USING btree ("environment") WHERE state = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "policies_proposed" ON "console"."policies" USING btree ("environment") WHERE state = 'proposed';--> statement-breakpoint
CREATE INDEX "policies_history" ON "console"."policies" USING btree ("environment","proposed_at" DESC NULLS LAST);