CREATE TABLE "console"."logout_tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console"."passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"name" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "console"."step_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"nonce" text NOT NULL,
	"digest" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"attempted_at" timestamp (3) with time zone,
	"confirmed_by" text,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "console"."sessions" ADD COLUMN "ip_address" text;--> statement-breakpoint
ALTER TABLE "console"."sessions" ADD COLUMN "user_agent" text;--> statement-breakpoint
ALTER TABLE "console"."sessions" ADD COLUMN "oidc_session_id" text;--> statement-breakpoint
ALTER TABLE "console"."sessions" ADD COLUMN "sealed_id_token" "bytea";--> statement-breakpoint
ALTER TABLE "console"."passkeys" ADD CONSTRAINT "passkeys_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "console"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "passkeys_staff" ON "console"."passkeys" USING btree ("staff_id");--> statement-breakpoint
CREATE INDEX "step_ups_action" ON "console"."step_ups" USING btree ("session_id","digest");--> statement-breakpoint
CREATE INDEX "step_ups_expiry" ON "console"."step_ups" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sessions_oidc" ON "console"."sessions" USING btree ("oidc_session_id") WHERE oidc_session_id is not null;